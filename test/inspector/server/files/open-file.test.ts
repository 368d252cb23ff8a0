import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startApiServer, type ApiServer } from '../api-server.ts'

let server: ApiServer
beforeEach(async () => {
  server = await startApiServer({
    'fixtures/a.yaml': '- { path: /a, response: {} }\n',
    'secret.txt': 'x',
    'src/a.tsx': 'x',
    'node_modules/a/a.js': 'x',
    'editor.sh':
      '#!/bin/sh\necho "$@" > "$(dirname "$0")/opened.tmp" && mv "$(dirname "$0")/opened.tmp" "$(dirname "$0")/opened"\n',
  })
  chmodSync(join(server.project.root, 'editor.sh'), 0o755)
})
afterEach(() => {
  vi.unstubAllEnvs()
  return server.close()
})

it.skipIf(process.platform === 'win32').each([
  ['a route', 'fixtures/a.yaml'],
  ['the application', 'src/a.tsx'],
])('opens a file of %s in the editor', async (_, name) => {
  const { root } = server.project
  vi.stubEnv('LAUNCH_EDITOR', join(root, 'editor.sh'))
  const file = join(root, name)
  const { status, body } = await server.call('POST', 'open', { file: name, line: 1 })
  expect([status, body]).toEqual([200, { opened: `${file}:1:1` }])
  await expect
    .poll(() => existsSync(join(root, 'opened')) && readFileSync(join(root, 'opened'), 'utf8'))
    .toContain(file)
})

it.each(['secret.txt', 'node_modules/a/a.js', '../a.ts', '../x', '/etc/passwd', 'fixtures/../secret.txt'])(
  'does not open %s',
  async (file) => {
    const { status, body } = await server.call<{ error: { code: string } }>('POST', 'open', { file })
    expect([status, body.error.code]).toEqual([404, 'api-file-unknown'])
  },
)
