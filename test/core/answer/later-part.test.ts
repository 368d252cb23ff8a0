import { expect, it } from 'vitest'
import { createLaterPart, withPart } from '../../../src/core/answer/later-part.ts'

it('is imported once, and used at once from then on', async () => {
  let imports = 0
  const part = createLaterPart(() => Promise.resolve({ count: ++imports }))
  await expect(withPart(part, ({ count }) => `import ${count}`)).resolves.toBe('import 1')
  expect(withPart(part, ({ count }) => `import ${count}`)).toBe('import 1')
})

it('can be imported after an import that failed, as while the package is being installed', async () => {
  let isInstalled = false
  const part = createLaterPart(() =>
    isInstalled ? Promise.resolve('part') : Promise.reject(new Error('missing')),
  )
  await expect(withPart(part, String)).rejects.toThrow('missing')
  isInstalled = true
  await expect(withPart(part, String)).resolves.toBe('part')
})

// Vitest reports an unhandled rejection, which would end a dev server.
it('rejects without ending the process if nobody waits any more', async () => {
  void withPart(
    createLaterPart(() => Promise.reject(new Error('missing'))),
    String,
  )
  await new Promise((resolve) => setImmediate(resolve))
})
