import type * as FileSystem from 'node:fs/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startApiServer, type ApiServer } from './api-server.ts'

vi.mock('node:fs/promises', async (importOriginal) => {
  const fs = await importOriginal<typeof FileSystem>()
  const readFile = (...args: Parameters<typeof fs.readFile>) =>
    String(args[0]).replaceAll('\\', '/').includes('dist/inspector/')
      ? Promise.reject(new Error('ENOENT: no such file or directory'))
      : fs.readFile(...args)
  return { ...fs, readFile }
})

let server: ApiServer
beforeAll(async () => {
  server = await startApiServer()
})
afterAll(() => server.close())

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
