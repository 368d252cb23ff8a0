import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { answerLines } from '../../src/cli/commands/mcp.ts'
import type { Terminal } from '../../src/cli/terminal.ts'
import { isThorough } from '../sampling.ts'
import { folderWith, runIn } from './test-terminal.ts'

/* An address in the arguments may have a user and a password. No message repeats them. */

const addresses = [
  'http://user:zqzpw@localhost:1',
  "http://user:z'zqz@localhost:1/a",
  'http://user:z"zqz@localhost:1/a',
  'http://user:a/zqz@localhost:1',
  'http://user:a#zqz@localhost:1',
  'http://user:a@zqz@localhost:1',
  'http://user:my zqz@localhost:1',
  'http://user:%7Azqz%27@localhost:1/a?b=1',
  'http://zqzuser@localhost:1',
  'http://:zqz@localhost:1',
  'http:user:zqz@localhost:1',
  'http:\\\\user:zqz@localhost:1',
  'HTTPS://user:zqz@localhost:1',
  'ftp://user:zqz@localhost:1',
  'user:zqz@localhost:1',
]
const commands = [
  ['explore', 'ADDRESS', '--browser', '/nowhere'],
  ['explore', 'http://localhost:1', '--browser', '/nowhere', '--server', 'ADDRESS'],
  ['explore', 'http://localhost:1', '--browser', 'ADDRESS'],
  ['explore', 'http://localhost:1', '--browser', '/nowhere', '--out', 'ADDRESS'],
  ['explore', 'http://localhost:1', '--script', 'ADDRESS'],
  ['explore', 'http://localhost:1', '--accepted', 'ADDRESS'],
  ['check', 'ADDRESS'],
  ['check', '--openapi', 'ADDRESS'],
  ['check', '--openapi=ADDRESS'],
  ['check', '--schema', 'ADDRESS'],
  ['check', '--documents', 'ADDRESS'],
  ['check', '--fixtures', 'ADDRESS'],
  ['check', '--root', 'ADDRESS'],
  ['import', 'har', 'ADDRESS'],
  ['import', 'har', 'a.har', '--url', 'ADDRESS', '--origin', 'ADDRESS'],
  ['import', 'openapi', 'ADDRESS'],
  ['import', 'openapi', 'api.json', '--dry-run', '--origin', 'ADDRESS'],
  ['import', 'openapi', 'api.json', '--dry-run', '--base', 'ADDRESS'],
  ['import', 'openapi', 'api.json', '--out', 'ADDRESS'],
  ['import', 'msw', 'ADDRESS'],
  ['import', 'mock-dev-server', 'ADDRESS'],
  ['import', 'json-server', 'ADDRESS'],
  ['import', 'ADDRESS'],
  ['mcp', 'ADDRESS'],
  ['mcp', '--root', 'ADDRESS'],
  ['init', 'ADDRESS'],
  ['init', '--config', 'ADDRESS'],
  ['bundle', 'ADDRESS'],
  ['bundle', '--base', 'ADDRESS'],
  // Only the slow run makes a bundle for it.
  ['bundle', '--assets', 'ADDRESS', ...(isThorough ? [] : ['--base', 'no'])],
  ['serve', 'ADDRESS'],
  ['serve', '--base', 'ADDRESS'],
  ['serve', '--port', 'ADDRESS'],
  ['serve', '--cors', 'ADDRESS', '--base', 'no'],
  ['ADDRESS'],
]

it.each(commands.map((words, index) => [words.join(' '), words, index] as const))(
  '%s',
  async (_, words, index) => {
    const api = { openapi: '3.0.0', paths: { '/a': { get: { responses: { 200: { description: 'a' } } } } } }
    const root = folderWith({ 'api.json': JSON.stringify(api), 'fixtures/a.yaml': '- path: /a', 'package.json': '{}' }) // prettier-ignore
    // Each command with a few addresses, each address with many commands; the slow run has all.
    for (const address of addresses.filter((_, at) => isThorough || at % 5 === index % 5)) {
      const { stdout, stderr } = await runIn(root, words.map((word) => word.replace('ADDRESS', address)), false) // prettier-ignore
      // The folder's own name is random, and may have the letters looked for.
      const printed = (stdout + stderr).replaceAll(root, '')
      expect(printed, address).not.toMatch(/zqz/i)
      expect(printed, address).not.toBe('')
    }
  },
)

it.each(addresses)('mcp --url %s', async (url) => {
  const input = new PassThrough()
  const written: string[] = []
  const terminal = { cwd: folderWith(), print: (text: string) => written.push(text) } as unknown as Terminal
  const ended = answerLines(terminal, { url }, input)
  input.end(
    `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_requests', arguments: {} } })}\n`,
  )
  await ended
  expect(written.join('\n')).toContain('"isError":true')
  expect(written.join('\n')).not.toMatch(/zqz/i)
})
