/* The same requests, in the same order, to json-server 0.17.4 and to `serve db.json`. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServing } from '../../../src/cli/commands/serve.ts'
import { readPage } from '../../docs/pages.ts'
import { ask, type Received } from './compare.ts'
import { differences } from './differences.ts'
import { database, requests, type Sent } from './requests.ts'

const ends: (() => unknown)[] = []
const answers: { sent: Sent; theirs: Received; ours: Received }[] = []

beforeAll(async () => {
  const root = mkdtempSync(join(tmpdir(), 'json-server-'))
  ends.push(() => rmSync(root, { recursive: true, force: true }))
  const quietly = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts']
  execFileSync('npm', ['install', '--prefix', root, ...quietly, 'json-server@0.17.4'], { stdio: 'ignore' })
  for (const name of ['db.json', 'theirs.json']) writeFileSync(join(root, name), JSON.stringify(database))
  const server = `const jsonServer = require('json-server')
const server = jsonServer.create()
server.use(jsonServer.defaults({ logger: false }))
server.use(jsonServer.router('theirs.json'))
const listening = server.listen(0, () => console.log(listening.address().port))`
  writeFileSync(join(root, 'server.cjs'), server)
  const child = spawn(process.execPath, ['server.cjs'], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
  ends.push(() => child.kill())
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  const nothing = () => {}
  const terminal = { cwd: root, isInteractive: false, print: nothing, note: nothing }
  const ours = await startServing(
    { ...terminal, style: (_, text) => text, confirm: () => Promise.resolve(false) },
    'db.json',
    { port: 0 },
  )
  ends.push(ours.close)
  for (const sent of requests)
    answers.push({
      sent,
      theirs: await ask(`http://localhost:${String(port).trim()}`, sent),
      ours: await ask(ours.origin, sent),
    })
  // What is asked changes nothing on the disk.
  expect(JSON.parse(readFileSync(join(root, 'db.json'), 'utf8'))).toEqual(database)
})
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

it('at least 300 answers are the same, but for what docs/migrating/json-server.md lists', () => {
  expect(requests.length).toBeGreaterThanOrEqual(300)
  const rows = [...readPage('docs/migrating/json-server.md').matchAll(/^\| (.*?) +\|/gm)].map(
    ([, row]) => row!,
  )
  const used = new Set<string>()
  const unexplained = answers.filter(({ sent, theirs, ours }) => {
    if (isDeepStrictEqual(theirs, ours)) return false
    const rule = differences.find(([, applies]) => applies(sent, theirs, ours))
    const row = rule && rows.find((one) => rule[0].test(one))
    if (row !== undefined) used.add(row)
    return row === undefined
  })
  expect(unexplained).toEqual([])
  const listed = rows.slice(rows.indexOf('Request') + 2)
  expect(listed.filter((row) => !used.has(row))).toEqual([])
  expect(answers.filter(({ theirs, ours }) => isDeepStrictEqual(theirs, ours)).length).toBeGreaterThan(200)
})
