import { entriesOf, LongNumber, type Shown } from './json.ts'

/** The parts of a GraphQL request. */
interface GraphqlPayload {
  query: string
  variables?: Shown
  others: { [key: string]: Shown }
}

/** Splits the body of a GraphQL request; `undefined` for a body that is something else. */
export function graphqlPayload(body: Shown): GraphqlPayload | undefined {
  if (!isObject(body) || typeof body['query'] !== 'string') return undefined
  const { query, variables, ...others } = body
  return { query, ...(variables !== undefined && variables !== null && { variables }), others }
}

export interface GraphqlError {
  message: string
  /** `hero.friends.1.name` */
  path?: string
  /** `4:7` */
  locations: string[]
}

/** The errors of a GraphQL answer, which may come with HTTP 200. */
export function graphqlErrors(body: Shown): GraphqlError[] {
  if (!isObject(body) || !Array.isArray(body['errors'])) return []
  return body['errors'].filter(isObject).map(({ message, path, locations }) => ({
    message: typeof message === 'string' ? message : '(no message)',
    ...(Array.isArray(path) && { path: path.join('.') }),
    locations: Array.isArray(locations)
      ? locations.filter(isObject).map(({ line, column }) => `${String(line)}:${String(column)}`)
      : [],
  }))
}

function isObject(value: Shown | undefined): value is { [key: string]: Shown } {
  return value !== undefined && !(value instanceof LongNumber) && !Array.isArray(value) && !!entriesOf(value)
}
