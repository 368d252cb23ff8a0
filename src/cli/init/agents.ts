import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { changeOf, type FileChange } from '../../files/changes.ts'
import { addEntry } from './edit-config.ts'

const command = { command: 'npx', args: ['unplugin-mock-api', 'mcp'] }

/** Editors whose folder the project has, and Claude Code, which has none. */
const configs = [
  { name: '.mcp.json', key: 'mcpServers', entry: command },
  { name: '.cursor/mcp.json', key: 'mcpServers', entry: command },
  { name: '.vscode/mcp.json', key: 'servers', entry: { type: 'stdio', ...command } },
]

const instructions = `## Mock API

The dev server answers API requests from the fixture files in \`fixtures/\`; nothing in the application is mocked.
When a request fails, ask \`list_requests\` and \`explain_request\` of the MCP server \`mock-api\` before you read code.
How to write fixtures: \`node_modules/unplugin-mock-api/skills/unplugin-mock-api/SKILL.md\`.
`

export function agentChanges(root: string): FileChange[] {
  const used = configs.filter(({ name }) => existsSync(dirname(join(root, name))))
  return [
    ...used.flatMap(({ name, key, entry }) =>
      changeOf(root, name, (before = '{}\n') => addEntry(before, key, 'mock-api', entry)),
    ),
    ...changeOf(root, 'AGENTS.md', (before) => {
      if (before === undefined) return instructions
      return before.includes('unplugin-mock-api') ? undefined : `${before.trimEnd()}\n\n${instructions}`
    }),
  ]
}
