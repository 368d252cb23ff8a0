import type { PatchEntry } from '../values/patch.ts'
import { type ValuePosition, writtenPath } from './positions.ts'
import type { AddedError } from '../schema/fault-schema.ts'
import { type Answered, type Draft, draft } from './sad-path.ts'
import type { Values } from '../values/values.ts'

const ofData: PatchEntry = { written: 'data', parts: ['data'], value: null }

/** Errors with HTTP 200 that leave no data, and a request that is refused. */
export function errorDrafts(): Draft[] {
  const only = (error: AddedError) => ({ patch: [ofData], errors: [error] })
  const withCode = (code: string, message: string) =>
    draft('error', code, `the answer has only the error ${code}`, only({ message, extensions: { code } }))
  const invalid = {
    message: 'The document is not valid.',
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
  }
  return [
    draft(
      'error',
      'data',
      'data is null, with an error',
      only({ message: 'The request could not be answered.' }),
    ),
    withCode('UNAUTHENTICATED', 'You are not logged in.'),
    withCode('FORBIDDEN', 'You are not allowed to see this.'),
    draft('error', 'request', 'the request is refused, with 400', {
      status: 400,
      body: { errors: [invalid] },
    }),
  ]
}

/** Each position of the data that may be null, and for each the first leaf below it that makes it null. */
export function* nullDrafts(
  answered: Answered,
  data: unknown,
  positions: readonly ValuePosition[],
): Generator<Draft> {
  const spread = new Set<string>()
  const landings = new Map<string, number>()
  for (const position of positions) {
    const { path, name, written, value, isFirst } = position
    if (value === null || path.length === 0 || path.at(-1) === '__typename') continue
    const alike = name.split(' ', 1)[0]!
    // The types are those of the first.
    const landing = landings.get(alike) ?? landingOf(answered, data, path)
    landings.set(alike, landing)
    const error = { message: `${written} could not be read.`, path: [...path] }
    if (landing === path.length) {
      const patch = [{ written, parts: ['data', ...path.map(String)], value: null }]
      yield draft('null', name, `${written} is null, with an error`, { errors: [error] })
      yield draft('missing', name, `${written} is null, without an error`, { patch })
      continue
    }
    const above = writtenPath(path.slice(0, landing)) || 'data'
    if (!isFirst || spread.has(above) || typeof value === 'object') continue
    spread.add(above)
    yield draft('null', name, `${written} fails, so ${above} is null`, { errors: [error] })
  }
}

/** How many parts of the path lead to what becomes null: the schema says how far a null spreads. */
function landingOf({ graphql }: Answered, data: unknown, path: ValuePosition['path']): number {
  const { checker, params } = graphql!
  const { document, operation, allVariables } = params
  if (!checker?.hasSchema || !document?.ast || !operation) return path.length
  return checker.landingsOf(document.ast, operation, allVariables, data as Values, [path])[0]!
}
