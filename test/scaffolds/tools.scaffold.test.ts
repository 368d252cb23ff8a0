/* Tools that run Vite with a page of their own. Needs `npm run build`. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { testScaffold } from './checks.ts'
import { freePort } from '../hosts/serve.ts'
import { run } from './command.ts'
import { installIn } from './project.ts'
import { copyApp, storybook, writeFiles } from './scaffold.ts'

describe('Storybook', () => {
  testScaffold(storybook)
})

describe("Vitest's browser mode", () => {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'scaffold-')))
  afterAll(() => rmSync(cwd, { recursive: true, maxRetries: 3 }))

  it('tests that run in a page are answered', async () => {
    copyApp('vitest-browser', cwd)
    await installIn({ cwd }, [inject('tarball')])
    const output = await run(['npx', 'vitest', 'run', '--browser.api.port', await freePort()], {
      cwd,
    })
    expect(output).toMatch(/chromium\W+mocks\.test\.js \(3 tests\)/)
    expect(output).not.toContain('plugin-duplicate')
  })

  it('a route of another origin answers tests that run in a page', async () => {
    writeFiles(cwd, {
      'fixtures/pay.yaml':
        '- { url: https://pay.example/charges/:id, response: { body: { id: { $from: params.id } } } }\n',
      'elsewhere.test.js': `import { expect, it } from 'vitest'

it('asks another origin', async () => {
  expect(await (await fetch('https://pay.example/charges/7')).json()).toEqual({ id: '7' })
})\n`,
    })
    const args = ['--browser.api.port', await freePort()]
    const output = await run(['npx', 'vitest', 'run', 'elsewhere', ...args], { cwd })
    expect(output).toMatch(/chromium\W+elsewhere\.test\.js \(1 test\)/)
  })
})
