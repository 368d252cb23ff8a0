import { describeValue, diagnose, type Diagnostic, type SourceLocation } from './diagnostics.ts'
import { headerText, queryValue, type ParsedRequest } from './request.ts'
import type { FixtureSelector, Predicate } from './schema.ts'
import { isRecord, ownValue } from './values.ts'

/** One place of a request that a selector can name: `query.page`, `body.filter.state`, `operationName`. */
export interface Field {
  source: keyof FixtureSelector
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

/** The first condition of a selector that a request does not meet. */
export interface FailedCondition {
  selector: string
  expected: string
  received: string
}

const textSources = ['query', 'params', 'headers', 'cookies'] as const

export interface CompiledSelector {
  selector: Selector
  diagnostics: Diagnostic[]
}

/** Compiles a fixture's `when`: literals become equalities, what is left becomes tests. Never throws. */
export function compileSelector(
  when: FixtureSelector | Predicate,
  place: (path: readonly string[]) => SourceLocation,
): CompiledSelector {
  if (typeof when === 'function')
    return { selector: { equalities: [], tests: [predicateTest(when)] }, diagnostics: [] }
  const selector: Selector = { equalities: [], tests: [] }
  const diagnostics: Diagnostic[] = []

  for (const source of textSources) {
    for (const [name, literal] of Object.entries(when[source] ?? {})) {
      const key = source === 'headers' ? name.toLowerCase() : name
      selector.equalities.push({ field: makeField(source, [key]), value: String(literal) })
    }
  }
  if (when.operationName !== undefined) {
    selector.equalities.push({ field: makeField('operationName', []), value: when.operationName })
  }
  if (when.operationType !== undefined) {
    selector.equalities.push({ field: makeField('operationType', []), value: when.operationType })
  }
  for (const source of ['body', 'variables'] as const) {
    if (when[source] !== undefined) addValue(when[source], makeField(source, []), [source])
  }
  return { selector, diagnostics }

  /** Deep partial equality, flattened: each scalar inside objects is an equality of its own. */
  function addValue(literal: unknown, field: Field, written: readonly string[]): void {
    if (isScalar(literal)) {
      selector.equalities.push({ field, value: literal })
      return
    }
    const entries = isRecord(literal) ? Object.entries(literal) : []
    if (entries.length === 0) {
      selector.tests.push(literalTest(field, literal))
      return
    }
    for (const [key, value] of entries) {
      const at = [...written, key]
      if (key.startsWith('$')) {
        diagnostics.push(diagnose('selector-unknown-operator', place(at), { operator: key }))
      } else {
        addValue(value, makeField(field.source, [...field.path, ...key.split('.')]), at)
      }
    }
  }
}

/** The value of a field in a request; `undefined` when the request does not carry it. */
export function readField(request: ParsedRequest, field: Field): unknown {
  const name = field.path[0]
  switch (field.source) {
    case 'query':
      return queryValue(request.raw.search, name!)
    case 'headers':
      return headerText(request.raw.headers, name!)
    case 'params':
    case 'cookies':
      return ownValue(request[field.source], name!)
    case 'body':
    case 'variables':
      return field.path.reduce<unknown>(ownValue, request[field.source])
    case 'operationName':
    case 'operationType':
      return request[field.source]
  }
}

/** Whether a selector can only be answered once the request's body is there. A predicate may look at anything. */
export function selectsByBody({ equalities, tests }: Selector): boolean {
  return (
    equalities.some(({ field }) => !textSources.includes(field.source as never)) ||
    tests.some(({ field }) => !field || !textSources.includes(field.source as never))
  )
}

/**
 * The first condition that does not hold, for the developer to read; `undefined` when all do.
 *
 * @throws what a predicate throws
 */
export function firstFailure(selector: Selector, request: ParsedRequest): FailedCondition | undefined {
  for (const { field, value } of selector.equalities) {
    const received = readField(request, field)
    if (received !== value) {
      return { selector: field.id, expected: describeValue(value), received: describeValue(received) }
    }
  }
  const failed = selector.tests.find((test) => !test.holds(request))
  if (!failed) return undefined
  return {
    selector: failed.field?.id ?? 'predicate',
    expected: failed.expected,
    received: describeValue(failed.received(request)),
  }
}

function makeField(source: Field['source'], path: readonly string[]): Field {
  return { source, path, id: [source, ...path].join('.') }
}

function predicateTest(predicate: Predicate): Test {
  return {
    expected: 'true',
    received: () => false,
    holds(request) {
      const result: unknown = predicate(request)
      if (result instanceof Promise) {
        result.catch(() => {}) // its rejection is reported as what it is: a predicate that must not be async
        throw new TypeError('a predicate must return true or false, not a promise')
      }
      return Boolean(result)
    },
  }
}

function literalTest(field: Field, literal: unknown): Test {
  return {
    field,
    expected: JSON.stringify(literal),
    received: (request) => readField(request, field),
    holds: (request) => matchesLiteral(literal, readField(request, field)),
  }
}

/** Deep partial equality: objects may carry more keys than the literal, lists have its length. */
function matchesLiteral(literal: unknown, value: unknown): boolean {
  if (Array.isArray(literal)) {
    return (
      Array.isArray(value) &&
      value.length === literal.length &&
      literal.every((entry, index) => matchesLiteral(entry, value[index]))
    )
  }
  if (isRecord(literal)) {
    return (
      isRecord(value) &&
      Object.entries(literal).every(([key, entry]) => matchesLiteral(entry, ownValue(value, key)))
    )
  }
  return literal === value
}

function isScalar(value: unknown): value is Scalar {
  return (
    value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  )
}
