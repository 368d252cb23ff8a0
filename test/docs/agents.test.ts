/* The examples of docs/agents.md, asked one after the other; and that page against the tools and the files of `init`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listPrompts } from '../../src/inspector/server/agents/prompts.ts'
import { tools } from '../../src/inspector/server/agents/tools.ts'
import { folderWith, runIn } from '../cli/test-terminal.ts'
import { connectAgent } from '../inspector/server/agents/agent.ts'
import { apiServer } from '../inspector/server/api-server.ts'
import { blocksOf, readPage } from './pages.ts'

const page = readPage('docs/agents.md')
const lines = page.split('\n')
const blocks = blocksOf('docs/agents.md')
const labelOf = (line: number) => /\[(.+)\]/.exec(lines[line - 1]!)?.[1]

it('the examples are answered so', async () => {
  const fixture = blocks.find(({ language }) => language === 'yaml')!
  const server = await apiServer({ [fixture.file!]: fixture.text })
  await server.post('/checkout', { total: 0 })
  const agent = await connectAgent(server)
  const calls = blocks.filter(({ line }) => tools.some(({ name }) => name === labelOf(line)))
  expect(calls).toHaveLength(2)
  for (const { line, text } of calls) {
    const expected = blocks.find((block) => block.line > line)!
    expect(await agent.call(labelOf(line)!, JSON.parse(text) as object)).toMatchObject(
      JSON.parse(expected.text) as object,
    )
  }
  expect((await server.post('/checkout', { total: 0 })).status).toBe(422)
  await agent.client.close()
})

it('lists every tool and prompt', () => {
  const listed = [...page.matchAll(/^\| `(\w+_?\w+)` +\|/gm)].map(([, name]) => name)
  const prompts = listPrompts() as { name: string }[]
  expect(listed).toEqual([...tools, ...prompts].map(({ name }) => name))
})

it('the skill names the tools', () => {
  const skill = readPage('skills/unplugin-mock-api/SKILL.md')
  expect(
    tools.map(({ name }) => name).filter((name) => !skill.includes(`\`${name}\``) && name !== 'list_routes'),
  ).toEqual([])
})

it.each([
  ['.mcp.json', {}],
  ['.vscode/mcp.json', { '.vscode/settings.json': '{}' }],
  ['AGENTS.md', {}],
])('%s is what init writes', async (name, files) => {
  const root = folderWith({ 'package.json': '{}', 'vite.config.ts': 'export default {}\n', ...files })
  await runIn(root, ['init', '--yes', '--agents'])
  const block = blocks.find(({ file }) => file === name)!
  const text = readFileSync(join(root, name), 'utf8')
  if (name.endsWith('.json')) expect(JSON.parse(text)).toEqual(JSON.parse(block.text))
  else expect(text).toBe(block.text)
})
