import { expect, it } from 'vitest'
import { serve } from '../hosts/of-test.ts'

/* What is malformed is explained without the text around the place. */

it.each<[what: string, url: string, type: string, body: string, code: string]>([
  ['a form as JSON', '/login', 'application/json', 'password=hunter', 'body-malformed'],
  ['a bare value', '/login', 'application/json', '{"access_token":REAL-hunter}', 'body-malformed'],
  ['a value after a comma', '/login', 'application/json', '["hunter",hunter]', 'body-malformed'],
  ['a document', '/graphql', 'application/json', JSON.stringify({ query: 'mutation A { login(password: "hunter") ', operationName: 'A' }), 'graphql-query-wrong'],
  ['a document of two lines', '/graphql', 'application/json', JSON.stringify({ query: 'mutation A {\n login(password: "hunter", a: ) }', operationName: 'A' }), 'graphql-query-wrong'],
])('%s', async (_, url, type, body, code) => {
  const { send, log } = await serve({
    'fixtures/a.yaml': '- { method: POST, path: /login, when: { body: { a: 1 } } }\n- { path: /graphql, when: { operationName: A }, response: { body: { data: {} } } }\n',
  })
  const { text } = await send({ method: 'POST', url, headers: { 'content-type': type }, body })
  const said = [text, ...log].join('\n')
  expect(said).toContain(code)
  expect(said).not.toContain('hunter')
}) // prettier-ignore
