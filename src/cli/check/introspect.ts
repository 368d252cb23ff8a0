import {
  buildClientSchema,
  getIntrospectionQuery,
  type GraphQLSchema,
  type IntrospectionQuery,
} from 'graphql/index.js'
import { valueOf, type Ask } from '../../backend/compare/ask/polite-client.ts'
import { attempt } from '../../core/values/thrown.ts'
import { ownValue } from '../../core/values/values.ts'

/** The schema that a backend shows of itself; nothing where it does not, or has too much. */
export async function introspect(
  url: string,
  headers: Readonly<Record<string, string>>,
  ask: Ask,
): Promise<GraphQLSchema | undefined> {
  const body = { query: getIntrospectionQuery({ descriptions: false }) }
  const answer = await ask({ method: 'POST', url, headers, body })
  const data = 'failed' in answer ? undefined : ownValue(valueOf(answer)?.value, 'data')
  return attempt(() => buildClientSchema(data as IntrospectionQuery))
}
