import { describeValue, diagnose, type Diagnostic, type SourceLocation } from './diagnostics.ts'
import { functionRequest } from './function-request.ts'
import { readSelectorDocument } from './graphql/selector-document.ts'
import { compileMatcher } from './operators.ts'
import { isSecret, redacted, writeOperators } from './redact.ts'
import { headerText, queryValue, type ParsedRequest } from './request.ts'
import type { FixtureSelector, Predicate } from './schema.ts'
import { describeThrown } from './thrown.ts'
import { isRecord, isThenable, nestsDeeperThan, ownValue } from './values.ts'

/** One place of a request that a selector can name: `query.page`, `body.filter.state`, `operationName`. */
export interface Field {
  source: keyof FixtureSelector | 'document'
  path: readonly string[]
  /** The field as the developer wrote it; two fields are the same if and only if their ids are. */
  id: string
}

export type Scalar = string | number | boolean | null

/** A field that must equal a scalar: what the route table's index is made of. */
export interface Equality {
  field: Field
  value: Scalar
}

/** A condition that no index can answer. */
export interface Test {
  /** What is looked at; a predicate may look at anything. */
  field?: Field
  expected: string
  received: (request: ParsedRequest) => unknown
  holds: (request: ParsedRequest) => boolean
}

/** What a request must carry for a route to answer: every equality and every test. */
export interface Selector {
  equalities: Equality[]
  tests: Test[]
}

/** A condition of a selector that a request does not meet. */
export interface FailedCondition {
  selector: string
  expected: string
  received: string
}

/** Levels that a selector may be nested: whoever follows it does so by recursion. */
const maxDepth = 500

/** Sources whose values are text. */
const textSources = [
  'query',
  'params',
  'headers',
  'cookies',
  'operationName',
  'operationType',
  'document',
] as const
/** Sources that are read off the request before its body is. */
const headSources: readonly string[] = ['query', 'params', 'headers', 'cookies']

export interface CompiledSelector {
  selector: Selector
  diagnostics: Diagnostic[]
}

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

/** Where a key leads: text sources have no depth, header names no case, and dots reach inside everything else. */
function keyPath(source: Field['source'], key: string): string[] {
  if (source === 'headers') return [key.toLowerCase()]
  return headSources.includes(source) ? [key] : key.split('.')
}

/** The value of a field in a request; `undefined` when the request does not carry it. */
export function readField(request: ParsedRequest, { source, path }: Field): unknown {
  const [name] = path
  switch (source) {
    case 'query':
      return name === undefined ? request.query : queryValue(request.raw.search, name)
    case 'headers':
      return name === undefined ? request.headers : headerText(request.raw.headers, name)
    default:
      return path.length === 0 ? request[source] : path.reduce<unknown>(ownValue, request[source])
  }
}

/** Whether a selector can only be answered once the request's body is there. A predicate may look at anything. */
export function selectsByBody({ equalities, tests }: Selector): boolean {
  return (
    equalities.some(({ field }) => !headSources.includes(field.source)) ||
    tests.some(({ field }) => !field || !headSources.includes(field.source))
  )
}

/**
 * The conditions of a selector that a request does not meet, for the developer to read; empty when it holds. A
 * predicate that throws is one of them.
 */
export function failedConditions(selector: Selector, request: ParsedRequest): FailedCondition[] {
  const failed: FailedCondition[] = []
  for (const { field, value } of selector.equalities) {
    const received = readField(request, field)
    if (received === value) continue
    failed.push({ selector: field.id, expected: show(value, field), received: show(received, field) })
  }
  for (const { field, expected, received, holds } of selector.tests) {
    try {
      if (holds(request)) continue
      failed.push({
        selector: field?.id ?? 'predicate',
        expected,
        received: show(received(request), field),
      })
    } catch (error) {
      failed.push({ selector: 'predicate', expected, received: `an error: ${describeThrown(error)}` })
    }
  }
  return failed
}

/** How a value of a field is shown; what a secret one is, nobody is told. */
function show(value: unknown, field: Field | undefined): string {
  return field && value !== undefined && isSecret(field) ? redacted : describeValue(value)
}

/** The developer wrote it as `query`. */
const documentField: Field = { source: 'document', path: [], id: 'query' }

/** Fields are shared: a hundred thousand routes that are selected by `page` name one. */
const fields = new Map<string, Field>()

function makeField(source: Field['source'], path: readonly string[]): Field {
  const key = JSON.stringify([source, ...path])
  let field = fields.get(key)
  if (!field) fields.set(key, (field = { source, path, id: [source, ...path].join('.') }))
  return field
}

function predicateTest(predicate: Predicate): Test {
  return {
    expected: 'true',
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
