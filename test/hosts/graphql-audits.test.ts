/*
 * The public audit suite of GraphQL over HTTP against fixtures alone, without a schema. In strict mode all audits pass. The
 * default mode takes what the starter templates promise to take: a request without a query, a body or a content type.
 */
import { serverAudits } from 'graphql-http'
import { expect, it } from 'vitest'
import { serve } from './of-test.ts'

const fixture = '- { path: /graphql, response: { body: { data: { hero: { name: R2-D2 } } } } }'

/** Audits that the default mode does not pass, and why. All of them are SHOULD or MAY, none is a MUST. */
const lenient: Record<string, string> = {
  '9ABE': 'no content type is needed',
  A5BF: 'no body is needed',
  '423L': 'no query is needed',
  '8764': 'no query is needed',
  '3E3A': 'no query is needed',
  '865D': 'a text that is no document is answered',
  '556A': 'a text that is no document is answered',
  D586: 'a text that is no document is answered',
  '51FE': 'without a schema nothing is validated',
  '74FF': 'without a schema nothing is validated',
  '5E5B': 'without a schema nothing is validated',
  '86EE': 'variables are not coerced',
}

it.each([
  { mode: 'strict', options: { graphql: { strict: true } }, expected: {} },
  { mode: 'default', options: {}, expected: lenient },
])('passes in $mode mode', async ({ options, expected }) => {
  const { origin } = await serve({ 'fixtures/graphql.yaml': fixture }, options)
  const audits = serverAudits({ url: `${origin}/graphql` })
  expect(audits).toHaveLength(61)
  const failed: Record<string, string> = {}
  for (const audit of audits) {
    const result = await audit.fn()
    if (result.status !== 'ok') failed[audit.id] = `${audit.name}: ${result.reason}`
  }
  expect(Object.keys(failed).toSorted(), JSON.stringify(failed, undefined, 1)).toEqual(
    Object.keys(expected).toSorted(),
  )
  expect(Object.values(failed).filter((name) => name.startsWith('MUST'))).toEqual([])
})
