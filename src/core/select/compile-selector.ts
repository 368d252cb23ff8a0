import { diagnose, type Diagnostic, type SourceLocation } from '../diagnostics/diagnostic.ts'
import { functionRequest } from '../request/function-request.ts'
import { readSelectorDocument } from './selector-document.ts'
import { compileMatcher } from './operators.ts'
import { writeOperators } from '../request/redact.ts'
import type { FixtureSelector, Predicate } from '../schema/schema.ts'
import { isRecord, isThenable, nestsDeeperThan } from '../values/values.ts'
import {
  type Field,
  type Scalar,
  type Test,
  type Selector,
  textSources,
  headSources,
  type CompiledSelector,
  keyPath,
  readField,
  documentField,
  makeField,
} from './selector.ts'
import { describeValue } from '../values/describe-value.ts'

/** Levels that a selector may be nested: whoever follows it does so by recursion. */
const maxDepth = 500

/**
 * Compiles a fixture's `when`: literals become equalities, which the index of an endpoint is made of; operators, lists
 * and predicates become tests. Never throws.
 *
 * @param place where a key of the selector stands
 */
export function compileSelector(
  when: FixtureSelector | Predicate,
  place: (path: readonly string[]) => SourceLocation,
): CompiledSelector {
  const selector: Selector = { equalities: [], tests: [] }
  const diagnostics: Diagnostic[] = []
  if (typeof when === 'function') selector.tests.push(predicateTest(when))
  else {
    if (nestsDeeperThan(when, maxDepth)) {
      diagnostics.push(diagnose('selector-too-deep', place([]), { limit: maxDepth }))
      return { selector, diagnostics }
    }
    for (const [source, literal] of Object.entries(when) as [Field['source'], unknown][]) {
      if (source === 'query' && typeof literal === 'string') addDocument(literal)
      else if (literal !== undefined) addLiteral(literal, makeField(source, []), [source])
    }
  }
  selector.equalities = selector.equalities.slice() // without the room that a list keeps for more
  return { selector, diagnostics }

  /** A GraphQL document selects what asks for the same; where it names its operation, only under that name. */
  function addDocument(text: string): void {
    const read = readSelectorDocument(text)
    if ('reason' in read) {
      diagnostics.push(diagnose('selector-invalid-document', place(['query']), { reason: read.reason }))
      return
    }
    selector.equalities.push({ field: documentField, value: read.text })
    if (read.name !== undefined) {
      selector.equalities.push({ field: makeField('operationName', []), value: read.name })
    }
  }

  /** Deep partial equality, flattened: each scalar inside objects is an equality of its own. */
  function addLiteral(literal: unknown, field: Field, written: readonly string[]): void {
    const text = textSources.includes(field.source as never)
    if (isScalar(literal)) {
      selector.equalities.push({ field, value: text ? String(literal) : literal })
      return
    }
    const keys = isRecord(literal) ? Object.keys(literal) : []
    const isLeaf = text && (field.path.length > 0 || !headSources.includes(field.source))
    if (isLeaf && (keys.length === 0 || keys.some((key) => !key.startsWith('$')))) {
      const details = { received: describeValue(literal) }
      diagnostics.push(diagnose('selector-invalid-text', place(written), details))
      return
    }
    const rest: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(isRecord(literal) ? literal : {})) {
      if (key.startsWith('$')) rest[key] = value
      else
        addLiteral(value, makeField(field.source, [...field.path, ...keyPath(field.source, key)]), [
          ...written,
          key,
        ])
    }
    const operators = Object.keys(rest).length
    if (keys.length > 0 && operators === 0) return // all of it is said by equalities and tests further inside
    const tested = operators > 0 ? rest : literal
    const pathOf = (key: string) => keyPath(field.source, key)
    const fits = compileMatcher(tested, written, { text, pathOf, place, diagnostics })
    selector.tests.push({
      field,
      expected: writeOperators(tested, field),
      received: (request) => readField(request, field),
      holds: (request) => fits(readField(request, field)),
    })
  }
}

function predicateTest(predicate: Predicate): Test {
  return {
    expected: 'a truthy value',
    received: () => false,
    holds(request) {
      const result: unknown = predicate(functionRequest(request))
      if (isThenable(result)) {
        result.then(undefined, () => {}) // its rejection is reported as what it is: a predicate that must not be async
        throw new TypeError('a predicate must return true or false, not a promise')
      }
      return Boolean(result)
    },
  }
}

function isScalar(value: unknown): value is Scalar {
  return (
    value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  )
}
