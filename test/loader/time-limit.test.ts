import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { createModuleLoader } from '../../src/loader/load-module.ts'
import { createTestProject } from '../hosts/test-project.ts'

afterEach(() => vi.useRealTimers())

it('a fixture file that never settles is given up, so that the dev server does not wait for ever', async () => {
  const project = createTestProject()
  const path = join(project.root, 'a.ts')
  const text = 'export default () => new Promise(() => {})'
  writeFileSync(path, text)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const loading = createModuleLoader(project.root).load(path, 'a.ts', text)
  while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve))
  vi.advanceTimersByTime(10_000)
  const { source } = await loading
  project.close()
  expect(source).toMatchObject({
    diagnostic: {
      code: 'fixture-import-failed',
      message: expect.stringContaining('within 10 seconds') as string,
    },
  })
})
