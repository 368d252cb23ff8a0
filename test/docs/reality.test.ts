/* docs/reality.md: its example is compared with a backend that has changed, and prints what the page shows. */
import { createServer } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { againstTexts } from '../../src/backend/compare/against-texts.ts'
import { runIn } from '../cli/test-terminal.ts'
import { closeServer, listen } from '../hosts/serve.ts'
import { projectOfTest } from '../hosts/of-test.ts'
import { blocksOf, readPage } from './pages.ts'

const users = [
  { id: 71, name: 'Kim', role: 'member', address: { city: 'Oslo', postalCode: '0150' } },
  { id: 72, name: 'Liv', role: 'auditor', address: { city: 'Rome', postalCode: '00100' } },
]

it('the command prints what the page shows', async () => {
  const server = createServer(({ url }, res) => {
    const body = url === '/users' ? users : users.find(({ id }) => url === `/users/${id}`)
    res.writeHead(body ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}))
  })
  const origin = await listen(server)
  onTestFinished(() => closeServer(server))
  const blocks = blocksOf('docs/reality.md')
  const [fixture, , shown] = blocks
  // Without the line that names the file: the lines in the output are counted.
  const { root } = projectOfTest({ [fixture!.file!]: fixture!.text.replace(/^#.*\n/, '') })
  const { stdout, exitCode } = await runIn(root, ['check', '--against', origin])
  expect([stdout.replaceAll(origin, 'https://staging.example.com'), exitCode]).toEqual([shown!.text, 1])
})

it('lists every code', () => {
  const listed = [...readPage('docs/reality.md').matchAll(/^\| `(against-[a-z-]+)`/gm)].map(
    ([, code]) => code,
  )
  expect(listed).toEqual(Object.keys(againstTexts))
})
