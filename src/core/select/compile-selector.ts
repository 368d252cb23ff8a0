import type { Diagnostic, SourceLocation } from '../diagnostics/diagnostic.ts'
import { diagnoseFixture } from '../diagnostics/fixture-texts.ts'
import { graphqlReading, isGraphQLLoaded } from '../graphql/later.ts'
import { functionRequest } from '../request/parsed-request.ts'
import type { Predicate } from '../schema/schema.ts'
import type { FixtureSelector } from '../schema/selector-schema.ts'
import { describeValue } from '../values/describe-value.ts'
import { isRecord, isThenable, nestsDeeperThan } from '../values/values.ts'
import { findUnquotedNumbers, noticeRegexAsText } from './likely-mistakes.ts'
import { compileMatcher, operatorNames, type Matcher } from './operators.ts'
import {
  documentField,
  typedDocumentField,
  Fields,
  isFlat,
  isScalar,
  isTextSource,
  keyPath,
  keyReader,
  readField,
  readsText,
} from './selector.ts'
import type { CompiledSelector, Field, Selector, FieldTest } from './selector.ts'

/** Selectors are compiled and tested recursively. */
const maxNesting = 500

interface SelectorFile {
  /** The spelling of a number in the file, if the format keeps it. */
  written?: ((path: readonly string[]) => string | undefined) | undefined
  fields?: Fields
}

/** Literals become equalities, for the index; everything else becomes tests. Never throws. */
export function compileSelector(
  when: FixtureSelector | Predicate,
  place: (path: readonly string[]) => SourceLocation,
  { written, fields = new Fields() }: SelectorFile = {},
): CompiledSelector {
  const selector: Selector = { equalities: [], tests: [] }
  const diagnostics: Diagnostic[] = []
  if (typeof when === 'function') selector.tests.push(predicateTest(when))
  else {
    if (nestsDeeperThan(when, maxNesting)) {
      diagnostics.push(diagnoseFixture('selector-too-deep', place([]), { limit: maxNesting }))
      return { selector, diagnostics }
    }
    for (const [source, literal] of Object.entries(when) as [Field['source'], unknown][]) {
      if (source === 'query' && typeof literal === 'string') addDocument(literal)
      else if (literal !== undefined) addLiteral(literal, fields.get(source, []), [source])
    }
    if (written) diagnostics.push(...findUnquotedNumbers(when, written, place))
  }
  selector.equalities = selector.equalities.slice() // an array that has grown reserves memory
  return { selector, diagnostics }

  /** A GraphQL document selects equivalent documents; if it names its operation, only those with the same name. */
  function addDocument(text: string): void {
    if (!isGraphQLLoaded()) {
      selector.tests.push({ field: documentField, written: text, holds: () => graphqlReading() && false })
      return
    }
    const read = graphqlReading().readDocument(text)
    if ('reason' in read) {
      diagnostics.push(
        diagnoseFixture('selector-invalid-document', place(['query']), { reason: read.reason }),
      )
      return
    }
    selector.equalities.push({
      field: read.hasTypes ? typedDocumentField : documentField,
      value: read.text,
    })
    if (read.name !== undefined) {
      selector.equalities.push({ field: fields.get('operationName', []), value: read.name })
    }
  }

  /** Deep partial equality, flattened: each scalar inside objects becomes a separate equality. */
  function addLiteral(literal: unknown, field: Field, at: readonly string[]): void {
    const isText = isTextSource(field)
    if (isScalar(literal)) {
      // A number stays one, since it has several spellings (`2`, `2.0`).
      const value = isText && typeof literal === 'boolean' ? String(literal) : literal
      noticeRegexAsText(literal, at, { place, diagnostics })
      selector.equalities.push({ field, value })
      return
    }
    const keys = isRecord(literal) ? Object.keys(literal) : []
    const isLeaf = isText && (field.path.length > 0 || !isFlat(field))
    const isRepeated = field.source === 'query' && Array.isArray(literal)
    if (isLeaf && !isRepeated && (keys.length === 0 || keys.some((key) => !key.startsWith('$')))) {
      const operator = keys.find((key) => operatorNames.includes(`$${key}`))
      const details = { received: describeValue(literal), operator }
      diagnostics.push(diagnoseFixture('selector-invalid-text', place(at), details))
      return
    }
    const operators: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(isRecord(literal) ? literal : {})) {
      if (key.startsWith('$')) operators[key] = value
      else {
        const inner = fields.get(field.source, [...field.path, ...keyPath(field.source, key)])
        addLiteral(value, inner, [...at, key])
      }
    }
    const hasOperators = Object.keys(operators).length > 0
    if (keys.length > 0 && !hasOperators) return // the nested equalities and tests cover it
    const tested = hasOperators ? operators : literal
    const fits = compileMatcher(tested, at, { ...waysOf(field), place, diagnostics })
    selector.tests.push(fieldTest(field, tested, fits))
  }
}

function waysOf(field: Field) {
  return { isText: isTextSource(field), readerOf: (key: string) => keyReader(field.source, key) }
}

/** Tests are created outside the compilation: their closures would keep `place`, and with it the file's syntax tree. */

function fieldTest(field: Field, tested: unknown, fits: Matcher): FieldTest {
  return {
    field,
    written: tested,
    holds: (request) => fits(readField(request, field), readsText(request, field)),
  }
}

function predicateTest(predicate: Predicate): FieldTest {
  return {
    written: predicate,
    holds(request) {
      const result: unknown = predicate(functionRequest(request))
      if (isThenable(result)) {
        result.then(undefined, () => {}) // the error below is reported instead of its rejection
        throw new TypeError('a predicate must return true or false, not a promise')
      }
      return Boolean(result)
    },
  }
}
