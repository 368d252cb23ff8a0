import { expect, it } from 'vitest'
import type { CheckedSadPath } from '../../../src/cli/check/sad-paths.ts'
import { folderWith, runIn } from '../test-terminal.ts'

const fixture = `- path: /orders/:id
  response: { body: { id: 7 } }
- name: gone
  path: /orders/:id
  when: { params: { id: 404 } }
  response: { status: 404, body: { code: gone } }
- name: down
  path: /orders/:id
  scenario: backend-down
  response: { status: 503 }
- path: /hello
  response: { from: backend }
`
const found = {
  request: 'GET /orders/:id',
  title: 'a',
  kind: 'null',
  reason: 'b',
  screenshot: 'screenshots/a.webp',
}
const report = {
  ...{ url: 'http://localhost:5173/', isComplete: true, screenshot: '' },
  findings: [
    { ...found, id: 'GET /orders/:id #null id', verdict: 'crashed' },
    { ...found, id: 'GET /orders/:id #status 500', verdict: 'handled' },
  ],
}

it.each(['{}', '[]', '{ "findings": {} }', '{ "findings": [null] }', 'no JSON'])(
  'a report of somebody else, %s, says nothing',
  async (text) => {
    const root = folderWith({ 'fixtures/a.yaml': '- path: /a', 'mock-api-report/report.json': text })
    const { stdout, stderr } = await runIn(root, ['check', '--sad-paths'])
    expect([stdout, stderr]).toEqual([expect.stringMatching(/^GET \/a: 0 of \d+ sad paths are covered/), ''])
  },
)

it('lists which sad paths are covered, and which were never seen', async () => {
  const root = folderWith({
    'fixtures/a.yaml': fixture,
    'mock-api-report/report.json': JSON.stringify(report),
  })
  const { stdout, stderr, exitCode } = await runIn(root, ['check', '--sad-paths'])
  expect([stdout, stderr, exitCode]).toEqual([
    `GET /orders/:id: 4 of 21 sad paths are covered
  the answer is 500 Internal Server Error: explored, handled
  id is null: explored, crashed
  the answer is 404 Not Found: route "gone" (fixtures/a.yaml:3:3)
  the answer is 503 Service Unavailable: scenario "backend-down" (fixtures/a.yaml:7:3)
  never seen: missing id, body html, slow late, connection reset, empty id, status 401, body malformed, slow out-of-order, connection silent, body truncated, and 7 more

4 routes from fixtures/a.yaml; 0 errors, 0 warnings, 0 notes
`,
    '',
    0,
  ])
  const json = await runIn(root, ['check', '--sad-paths', '--format', 'json'])
  const { sadPaths } = JSON.parse(json.stdout) as { sadPaths: CheckedSadPath[] }
  expect(sadPaths).toHaveLength(21)
  expect(sadPaths[0]).toMatchObject({ id: 'GET /orders/:id #status 500', verdict: 'handled' })
})
