import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { PluginInstance } from '../../src/plugin/plugin-instance.ts'
import * as mockServers from '../../src/server/mock-server.ts'

const unhandled = vi.fn()
beforeAll(() => void process.on('unhandledRejection', unhandled))
afterAll(() => void process.off('unhandledRejection', unhandled))

it('a mock server that can not start is reported once, and requests get the error', async () => {
  const start = vi.spyOn(mockServers, 'startMockServer').mockImplementation(() => {
    throw new Error("Cannot find module 'lru-cache'")
  })
  onTestFinished(() => start.mockRestore())
  const logger = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const instance = new PluginInstance({}, { root: '/project', logger })
  const handler = instance.createHandler('', { trustHost: false } as never)
  const used = vi.fn()
  instance.whenStarted(used)
  await instance.announce()
  await new Promise((done) => setImmediate(done)) // where Node reports rejections
  const error = await new Promise((next) => {
    handler({ url: '/items' } as IncomingMessage, {} as ServerResponse, next)
  })
  expect(error).toMatchObject({ message: "Cannot find module 'lru-cache'" })
  await instance.stop()
  expect(unhandled).not.toHaveBeenCalled()
  expect(used).not.toHaveBeenCalled()
  expect(logger.error.mock.calls).toEqual([[expect.stringContaining('[start-failed]')]])
  expect(logger.error.mock.calls[0]![0]).toContain("Cannot find module 'lru-cache'")
})
