import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderWith, runIn } from '../test-terminal.ts'

const base = { 'package.json': '{ "name": "shop" }', 'vite.config.ts': 'export default { plugins: [] }\n' }
const entry = { command: 'npx', args: ['unplugin-mock-api', 'mcp'] }

it.each<[what: string, files: Record<string, string>, file: string, after: string | undefined]>([
  ['no file', {}, '.mcp.json', `${JSON.stringify({ mcpServers: { 'mock-api': entry } }, null, 2)}\n`],
  ['no folder of Cursor', {}, '.cursor/mcp.json', undefined],
  ['no folder of VS Code', {}, '.vscode/mcp.json', undefined],
  ['a folder of Cursor', { '.cursor/rules': '' }, '.cursor/mcp.json', `${JSON.stringify({ mcpServers: { 'mock-api': entry } }, null, 2)}\n`],
  ['another server', { '.mcp.json': '{\n  "mcpServers": {\n    "other": { "command": "x" }\n  }\n}\n' }, '.mcp.json', '{\n  "mcpServers": {\n    "other": { "command": "x" },\n    "mock-api": {\n      "command": "npx",\n      "args": [\n        "unplugin-mock-api",\n        "mcp"\n      ]\n    }\n  }\n}\n'],
  ['other keys', { '.vscode/mcp.json': '{\n  // tokens\n  "inputs": []\n}\n' }, '.vscode/mcp.json', '{\n  // tokens\n  "inputs": [],\n  "servers": {\n    "mock-api": {\n      "type": "stdio",\n      "command": "npx",\n      "args": [\n        "unplugin-mock-api",\n        "mcp"\n      ]\n    }\n  }\n}\n'],
  ['nothing but a comment', { '.mcp.json': '{\n  // none yet\n}\n' }, '.mcp.json', '{\n  // none yet\n  "mcpServers": {\n    "mock-api": {\n      "command": "npx",\n      "args": [\n        "unplugin-mock-api",\n        "mcp"\n      ]\n    }\n  }\n}\n'],
  ['no server yet', { '.mcp.json': '{ "mcpServers": {} }\n' }, '.mcp.json', '{ "mcpServers": {\n  "mock-api": {\n    "command": "npx",\n    "args": [\n      "unplugin-mock-api",\n      "mcp"\n    ]\n  }\n} }\n'],
  ['the entry', { '.mcp.json': '{ "mcpServers": { "mock-api": {} } }' }, '.mcp.json', '{ "mcpServers": { "mock-api": {} } }'],
  ['a file with an error', { '.mcp.json': '{ "mcpServers": ' }, '.mcp.json', '{ "mcpServers": '],
  ['a list', { '.mcp.json': '{ "mcpServers": [] }' }, '.mcp.json', '{ "mcpServers": [] }'],
])('%s', async (_, files, file, after) => {
  const root = folderWith({ ...base, ...files })
  await runIn(root, ['init', '--yes', '--agents'])
  const path = join(root, file)
  expect(existsSync(path) ? readFileSync(path, 'utf8') : undefined).toBe(after)
}) // prettier-ignore

it('AGENTS.md gets four lines at its end, once', async () => {
  const root = folderWith({ ...base, 'AGENTS.md': '# Rules\n\nBe brief.\n' })
  await runIn(root, ['init', '--yes', '--agents'])
  const text = readFileSync(join(root, 'AGENTS.md'), 'utf8')
  expect(text).toMatch(/^# Rules\n\nBe brief\.\n\n## Mock API\n\nThe dev server answers/)
  await runIn(root, ['init', '--yes', '--agents'])
  expect(readFileSync(join(root, 'AGENTS.md'), 'utf8')).toBe(text)
})

it.each<[what: string, args: string[], answer: boolean | undefined, isWritten: boolean]>([
  ['a yes', [], true, true],
  ['a no', [], false, false],
  ['nobody there', [], undefined, false],
  ['--yes alone', ['--yes'], undefined, false],
  ['--agents without a yes', ['--agents'], undefined, false],
  ['--yes --agents', ['--yes', '--agents'], undefined, true],
])('%s', async (_, args, answer, isWritten) => {
  const root = folderWith(base)
  await runIn(root, ['init', ...args], answer)
  expect(existsSync(join(root, '.mcp.json'))).toBe(isWritten)
})
