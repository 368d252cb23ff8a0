import { queryValue } from '../http/raw-request.ts'

/** Whether a GET has parameters of a GraphQL request. A browser that opens the endpoint sends none. */
export function isGraphQLGet(search: string): boolean {
  // Most queries are ruled out by one look: they have neither such a name nor an escape.
  if (search === '' || !/(?:^|&)(?:query|operationName|extensions)\b|[%+]/.test(search)) return false
  return ['query', 'operationName', 'extensions'].some((name) => queryValue(search, name) !== undefined)
}
