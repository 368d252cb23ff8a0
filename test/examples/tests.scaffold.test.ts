/*
 * The examples that are test suites: they pass, and an edit of a fixture file makes the tests fail that depend on it.
 * Needs `npm run build`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../hosts/serve.ts'
import { createExample, type Example } from './example.ts'

describe('vitest', () => {
  let example: Example
  beforeAll(() => {
    example = createExample('vitest')
  })
  afterAll(() => example.remove())

  it('the first command installs it and runs its tests', async () => {
    const { code, output } = await example.run(example.commands[0]!)
    expect(code, output).toBe(0)
    expect(output).toMatch(/Tests\s+6 passed \(6\)/)
  })

  it('the second command checks its types', async () => {
    const { code, output } = await example.run(example.commands[1]!)
    expect(code, output).toBe(0)
  })

  it('another status in a fixture file fails the test that depends on it', async () => {
    const undo = example.edit('fixtures/parcels.yaml', 'status: 422', 'status: 400')
    const { code, output } = await example.run('npm test')
    undo()
    expect(code).toBe(1)
    expect(output).toMatch(/Tests\s+1 failed \| 5 passed \(6\)/)
    expect(output).toContain('sendParcel > refuses what is too heavy')
  })
})

describe('playwright-scenarios', () => {
  let example: Example
  beforeAll(() => {
    example = createExample('playwright-scenarios')
  })
  afterAll(() => example.remove())

  it('the first command installs it and starts its page', async () => {
    const server = await example.serve(example.commands[0]!)
    const response = await fetch(`${server.origin}/cart`)
    await server.stop()
    expect(await response.json()).toHaveLength(2)
  })

  /** The browser that `test/e2e/setup.ts` has found, and a free port. */
  const environment = async () => ({
    CHROME_PATH: process.env['CHROME_PATH']!,
    PORT: await freePort(),
    CI: '1',
  })

  it('the second command runs its tests, in two workers', async () => {
    const { code, output } = await example.run(example.commands[1]!, await environment())
    expect(code, output).toBe(0)
    expect(output).toContain('Running 5 tests using 2 workers')
    expect(output).toContain('5 passed')
  })

  it('a scenario with another name fails the test that depends on it', async () => {
    const undo = example.edit('fixtures/shop.yaml', 'scenario: payment-down', 'scenario: payment-gone')
    const { code, output } = await example.run(example.commands[1]!, await environment())
    undo()
    expect(code).toBe(1)
    expect(output).toContain('4 passed')
    expect(output).toContain('while the payment provider is down › asks to try again later')
  })
})
