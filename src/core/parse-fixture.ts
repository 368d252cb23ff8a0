import * as v from 'valibot'
import { describeValue, diagnose, type Diagnostic, type SourceLocation } from './diagnostics.ts'
import {
  delayCurveSchema,
  delayRangeSchema,
  dribbleSchema,
  rateLimitSchema,
  type RateLimit,
} from './fault-schema.ts'
import { findMisfit, snapshot } from './json-value.ts'
import { styles } from './page-styles.ts'
import type { Paging } from './paginate.ts'
import { canonicalPath, parameterNames, validatePath } from './path.ts'
import { fixtureSchema, paginateSchema, responseSchema, routeSchema, selectorSchema } from './schema.ts'
import type { FixtureResponse, ResponseFunction } from './schema.ts'
import { compileSelector, type Selector } from './selector.ts'
import { reasonOf } from './thrown.ts'

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
  /** GraphQL: whether `data` is cut to the selection, where the route says so. */
  shape?: boolean | undefined
  /** How often the route answers. */
  rateLimit?: RateLimit | undefined
  /** Where the file is named that the response, or the list, is read from. */
  fileSource?: SourceLocation | undefined
  /** A list that is answered part by part, instead of the response's body. */
  paging?: (Omit<Paging, 'items'> & { items: Paging['items'] | { file: string } }) | undefined
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
  /** Whether it is code, which can hold values that no data file has. */
  isCode?: boolean
}

/**
 * Turns what a fixture file holds into routes, or into diagnostics that name what is wrong, and where.
 *
 * A file with errors gives no routes: half of a file would answer with the default where a selector was mistyped.
 */
export function parseFixture(value: unknown, { file, locate, isCode = false }: FixtureFile): ParsedFixture {
  const place = (path: KeyPath, target: 'key' | 'value' = 'value'): SourceLocation => ({
    file,
    ...locate(path, target),
    pointer: toPointer(path),
  })
  const result = v.safeParse(fixtureSchema, value ?? [])
  if (!result.success) {
    return { routes: [], diagnostics: result.issues.map((issue) => fromIssue(issue, place)) }
  }

  // Not the schema's output: valibot leaves out keys that are named like parts of a prototype.
  const definitions = (value ?? []) as Definition[]
  const routes: Route[] = []
  const diagnostics: Diagnostic[] = []
  definitions.forEach((definition, index) => {
    const at = (path: readonly string[], target?: 'key' | 'value') => place([index, ...path], target)
    const { name, method, when, response, shape, rateLimit, paginate: list } = definition
    diagnostics.push(...conflicts(definition, at))
    if (isCode) diagnostics.push(...misfits(definition, at))

    const path = canonicalPath(definition.path)
    const invalid = validatePath(path)
    if (invalid !== undefined) {
      diagnostics.push(diagnose('path-invalid', at(['path']), { path: definition.path, reason: invalid }))
    }
    const compiled = when && compileSelector(when, (keys) => at(['when', ...keys], 'key'))
    if (compiled) {
      diagnostics.push(...compiled.diagnostics, ...unknownParameters(compiled.selector, path, at))
    }
    const paging = list && resolvePaging(list)
    if (paging && 'reason' in paging) {
      diagnostics.push(diagnose('items-failed', at(['paginate', 'items']), paging))
      return
    }
    const selector = compiled?.selector
    const source = at([])
    const namesFile = list
      ? 'file' in list.items
      : typeof response === 'object' && response.file !== undefined
    const fileSource = namesFile ? at([...(list ? ['paginate', 'items'] : ['response']), 'file']) : undefined
    routes.push({
      name,
      method: method?.toUpperCase(),
      path,
      selector,
      response: response ?? {},
      paging,
      shape,
      rateLimit,
      source,
      fileSource,
    })
  })
  const failed = diagnostics.some((diagnostic) => diagnostic.severity === 'error')
  return { routes: failed ? [] : routes, diagnostics }
}

type Definition = v.InferOutput<typeof routeSchema>

/** Fills in the defaults of a `paginate`, and asks a function for its items. */
function resolvePaging(list: NonNullable<Definition['paginate']>): Route['paging'] | { reason: string } {
  const { style = 'page', perPage = 20, maxPerPage = styles[style].maxPerPage } = list
  let { items } = list
  if (typeof items === 'function') {
    try {
      items = snapshot([...items()])
      const misfit = findMisfit(items, 'items')
      if (misfit) return { reason: `${misfit.path} is ${misfit.what}` }
    } catch (error) {
      return { reason: reasonOf(error) }
    }
  }
  return {
    style,
    items,
    perPage,
    maxPerPage: maxPerPage && Math.max(perPage, maxPerPage),
    parameters: (list.parameters ?? {}) as Record<string, string>,
    envelope: list.envelope ?? {},
    outOfRange: list.outOfRange ?? 'empty',
    malformed: list.malformed ?? 'error',
    field: (list.field ?? 'items').split('.'),
  }
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
  route: Definition,
  at: (path: readonly string[], target?: 'key' | 'value') => SourceLocation,
): Diagnostic[] {
  const { response, paginate: list } = route
  const diagnostics: Diagnostic[] = []
  if (list && bodyKey(response)) {
    const keys = [bodyKey(response)!, 'paginate']
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

/** What a fixture in code would send, but JSON can't. */
function misfits(
  { response, paginate: list }: Definition,
  at: (path: readonly string[]) => SourceLocation,
): Diagnostic[] {
  const body = typeof response === 'object' ? response.body : undefined
  const bodyMisfit = ArrayBuffer.isView(body) ? undefined : findMisfit(body, 'body')
  const itemMisfit = Array.isArray(list?.items) ? findMisfit(list.items, 'items') : undefined
  const describe = ({ path, what }: { path: string; what: string }) => ({ reason: `${path} is ${what}` })
  return [
    ...(bodyMisfit ? [diagnose('body-not-json', at(['response', 'body']), describe(bodyMisfit))] : []),
    ...(itemMisfit ? [diagnose('body-not-json', at(['paginate', 'items']), describe(itemMisfit))] : []),
  ]
}

/** The key by which a response says what its body is. */
function bodyKey(response: Definition['response']): string | undefined {
  if (typeof response === 'function') return 'response'
  return response && (['body', 'file'] as const).find((key) => response[key] !== undefined)
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
  if (issue.type === 'strict_object' && issue.expected?.startsWith('"')) {
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

/** The keys that an object may have, by the key that it stands under; entries of the list stand under none. */
const knownByParent: Record<string, object> = {
  when: selectorSchema.entries,
  response: responseSchema.entries,
  paginate: paginateSchema.entries,
  items: { file: true },
  delay: { ...delayRangeSchema.entries, ...delayCurveSchema.entries },
  fault: dribbleSchema.entries,
  rateLimit: rateLimitSchema.entries,
}

function knownKeys(issue: Issue): string[] {
  return Object.keys(knownByParent[String(issue.path?.at(-2)?.key)] ?? routeSchema.entries)
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
    case 'picklist':
      return `one of ${issue.expected}`
    case 'custom':
    case 'union':
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
