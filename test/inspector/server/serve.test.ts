import fs from 'node:fs/promises'
import { expect, it } from 'vitest'
import { replaceBuiltin } from '../../builtin.ts'
import { apiServerOnce } from './api-server.ts'

replaceBuiltin(
  fs,
  'readFile',
  (readFile) =>
    ((...args: Parameters<typeof readFile>) =>
      String(args[0]).replaceAll('\\', '/').includes('dist/inspector/')
        ? Promise.reject(new Error('ENOENT: no such file or directory'))
        : readFile(...args)) as typeof readFile,
)

const server = apiServerOnce()

it.each(['', 'inspector.js'])('says how to build the page when "%s" is missing', async (name) => {
  const response = await server.send(`/__mock-api/${name}`)
  expect([response.status, await response.json()]).toEqual([
    500,
    {
      error: {
        code: 'page-not-built',
        message: "The page of the inspector can't be read: ENOENT: no such file or directory.",
        fix: 'Install unplugin-mock-api again; in its repository, run "npm run build".',
      },
    },
  ])
})
