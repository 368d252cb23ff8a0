import * as v from 'valibot'
import { describeValue, diagnose, type Diagnostic, type SourceLocation } from './diagnostics.ts'
import { pageParameter, paginate } from './paginate.ts'
import { canonicalPath, parameterNames, validatePath } from './path.ts'
import { fixtureSchema, type FixtureResponse, type ResponseFunction } from './schema.ts'
import { compileSelector, type Equality, type Selector } from './selector.ts'

/** A route as the route table is compiled from it. */
export interface Route {
  name?: string | undefined
  /** Upper case; `undefined` where the fixture leaves it out, since its default depends on the endpoint. */
  method?: string | undefined
  path: string
  /** None: a default route. */
  selector?: Selector | undefined
  response: FixtureResponse | ResponseFunction
  source: SourceLocation
  /** On the default route of a paginated list: the page it is. Any other value selects nothing. */
  standsFor?: Equality | undefined
}

export interface ParsedFixture {
  routes: Route[]
  diagnostics: Diagnostic[]
}

/** A key of the fixture's value, from the root: `[0, 'response', 'status']`. */
export type KeyPath = readonly (string | number)[]

/** What the parser needs to know of the file that a value comes from. */
export interface FixtureFile {
  file: string
  /** The position of a key, or of its value; where the format keeps none, of something around it. */
  locate: (path: KeyPath, target: 'key' | 'value') => { line?: number; column?: number }
}

/**
 * Turns what a fixture file holds into routes, or into diagnostics that name every place that is wrong.
 *
 * A file with errors gives no routes: half of a file would answer with the default where a selector was mistyped.
 */
export function parseFixture(value: unknown, { file, locate }: FixtureFile): ParsedFixture {
  const place = (path: KeyPath, target: 'key' | 'value' = 'value'): SourceLocation => ({
    file,
    ...locate(path, target),
    pointer: toPointer(path),
  })
  const result = v.safeParse(fixtureSchema, value ?? [])
  if (!result.success) {
    return { routes: [], diagnostics: result.issues.map((issue) => fromIssue(issue, place)) }
  }

  const routes: Route[] = []
  const diagnostics: Diagnostic[] = []
  result.output.forEach((definition, index) => {
    const at = (path: readonly string[], target?: 'key' | 'value') => place([index, ...path], target)
    const { name, method, when, response, paginate: list } = definition
    diagnostics.push(...conflicts(definition, at))

    const path = canonicalPath(definition.path)
    const invalid = validatePath(path)
    if (invalid !== undefined) {
      diagnostics.push(diagnose('path-invalid', at(['path']), { path: definition.path, reason: invalid }))
    }
    const base = { name, method: method?.toUpperCase(), path, source: at([]) }
    const compiled = when && compileSelector(when, (keys) => at(['when', ...keys], 'key'))
    if (compiled) diagnostics.push(...compiled.diagnostics, ...unknownParameters(compiled.selector, path, at))

    if (!list) {
      routes.push({ ...base, selector: compiled?.selector, response: response ?? {} })
      return
    }
    for (const page of paginate(list)) {
      const selector = page.when && compileSelector(page.when, (keys) => at(['paginate', ...keys])).selector
      const [equality] = compileSelector({ query: { [pageParameter]: page.number } }, () => at([])).selector
        .equalities
      routes.push({
        ...base,
        name: name && `${name}, page ${page.number}`,
        selector: mergeSelectors(compiled?.selector, selector),
        response: page.response,
        standsFor: page.when || compiled ? undefined : equality,
      })
    }
  })
  const failed = diagnostics.some((diagnostic) => diagnostic.severity === 'error')
  return { routes: failed ? [] : routes, diagnostics }
}

function mergeSelectors(a: Selector | undefined, b: Selector | undefined): Selector | undefined {
  if (!a || !b) return a ?? b
  return { equalities: [...a.equalities, ...b.equalities], tests: [...a.tests, ...b.tests] }
}

/** A selector by a parameter that the path does not have could never hold. */
function unknownParameters(
  selector: Selector,
  path: string,
  at: (path: readonly string[], target: 'key') => SourceLocation,
): Diagnostic[] {
  const known = parameterNames(path)
  return selector.equalities
    .filter(({ field }) => field.source === 'params' && !known.includes(field.path[0]!))
    .map(({ field }) => {
      const name = field.path[0]!
      return diagnose('selector-unknown-parameter', at(['when', 'params', name], 'key'), { name, path })
    })
}

/** Keys that each make sense, but not beside each other. */
function conflicts(
  route: v.InferOutput<typeof fixtureSchema>[number],
  at: (path: readonly string[], target?: 'key' | 'value') => SourceLocation,
): Diagnostic[] {
  const { response, paginate: list } = route
  const diagnostics: Diagnostic[] = []
  if (response && list) {
    const keys = ['response', 'paginate']
    diagnostics.push(
      diagnose('fixture-conflicting-keys', at(['paginate'], 'key'), { keys, place: 'A route' }),
    )
  }
  if (typeof response === 'object' && response.file !== undefined && response.body !== undefined) {
    const keys = ['body', 'file']
    diagnostics.push(
      diagnose('fixture-conflicting-keys', at(['response', 'file'], 'key'), { keys, place: 'A response' }),
    )
  }
  return diagnostics
}

type Issue = v.BaseIssue<unknown>

/** One finding of the validation as a diagnostic in the developer's words. */
function fromIssue(
  issue: Issue,
  place: (path: KeyPath, target?: 'key' | 'value') => SourceLocation,
): Diagnostic {
  const path = (issue.path ?? []).map((item) => item.key as string | number)
  const key = String(path.at(-1))
  if (issue.type === 'strict_object' && issue.expected === 'never') {
    return diagnose('fixture-unknown-key', place(path, 'key'), { key, known: knownKeys(issue) })
  }
  if (issue.type === 'strict_object' && issue.received === 'undefined') {
    return diagnose('fixture-missing-key', place(path.slice(0, -1)), { key })
  }
  return diagnose('fixture-invalid', place(path), {
    what:
      path.length === 0
        ? 'A fixture file'
        : typeof path.at(-1) === 'number'
          ? 'This entry'
          : JSON.stringify(key),
    expected: expectation(issue),
    received: describeValue(issue.input),
  })
}

/** valibot reports a key that no object schema has without the schema: it is found by the keys around it. */
function knownKeys(issue: Issue): string[] {
  const depth = (issue.path ?? []).length
  const parent = issue.path?.at(-2)?.key
  const entries =
    depth === 2
      ? fixtureSchema.item.entries
      : parent === 'when'
        ? (fixtureSchema.item.entries.when.wrapped.getter({}) as { entries?: object }).entries
        : parent === 'response'
          ? (fixtureSchema.item.entries.response.wrapped.getter({}) as { entries?: object }).entries
          : fixtureSchema.item.entries.paginate.wrapped.entries
  return Object.keys(entries ?? {})
}

function expectation(issue: Issue): string {
  switch (issue.type) {
    case 'array':
      return 'a list'
    case 'strict_object':
    case 'record':
      return 'an object'
    case 'string':
      return 'a text'
    case 'number':
      return 'a number'
    case 'integer':
      return 'a whole number'
    case 'min_value':
      return `${(issue as { requirement?: number }).requirement} or more`
    case 'max_value':
      return `${(issue as { requirement?: number }).requirement} or less`
    case 'union':
      return 'a text, a number or a boolean'
    case 'picklist':
      return `one of ${issue.expected}`
    case 'regex':
    case 'starts_with':
    case 'non_empty':
      return issue.message
    default:
      return issue.expected ?? 'something else'
  }
}

/** @see https://www.rfc-editor.org/rfc/rfc6901 */
function toPointer(path: KeyPath): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
