/* Explores the playground and the example. They handle each sad path, or a committed file accepts the finding and says why. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { createServer } from 'vite'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Options } from '../../src/core/options/options.ts'
import mockApi from '../../src/vite.ts'
import { runIn } from '../cli/test-terminal.ts'

const folderOf = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))

it.each<[page: string, silent: number, options: Options]>([
  ['playground', 5, { fixtures: ['templates', 'fixtures'] }], // its panel shows the envelope of a list as it is
  ['examples/react-apollo', 0, { graphql: { schema: 'schema.graphql' } }],
])('%s', async (page, silent, options) => {
  vi.stubEnv('NODE_ENV', 'development') // Vitest's would make React another one
  const root = folderOf(page)
  const cacheDir = mkdtempSync(join(tmpdir(), 'explored-'))
  const server = await createServer({
    root,
    cacheDir,
    configFile: false,
    logLevel: 'warn',
    plugins: [react(), mockApi(options)],
    server: { port: 0, host: '127.0.0.1' },
  })
  onTestFinished(async () => {
    await server.close()
    rmSync(cacheDir, { recursive: true, force: true, maxRetries: 3 })
    vi.unstubAllEnvs()
  })
  await server.listen()
  const out = folderOf(`artifacts/explore/${page}`)
  const { exitCode, stdout, stderr } = await runIn(root, [
    'explore',
    server.resolvedUrls!.local[0]!,
    '--all',
    '--out',
    out,
  ])
  const [summary] = stdout.split('\n', 1)
  expect(summary!.replaceAll(/\d+ (?=sad|unreached|handled)/g, '')).toBe(
    `sad paths: 0 crashed, 0 looping, 2 stuck, 0 blank, ${silent} silent, unreached, handled, ${2 + silent} of them accepted`,
  )
  expect(exitCode, stderr).toBe(0)
})
