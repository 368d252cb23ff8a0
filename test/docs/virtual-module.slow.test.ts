/* The examples of `virtual:mock-api` in docs/without-dev-server.md, as a user runs them: a build of the demo, and Vitest (`types.slow.test.ts` checks the types). */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { build } from 'vite'
import { startVitest } from 'vitest/node'
import { mockApi } from '../../src/vite.ts'
import { createProjectInPackage, createTestProject, type TestProject } from '../hosts/test-project.ts'
import { filesOf } from './pages.ts'

const files = filesOf('docs/without-dev-server.md')

/** Finds this package and Vitest by name. */
let project: TestProject
/** Unlike this package, its package.json does not say that its modules have no side effects. */
let app: TestProject
beforeAll(() => {
  const all = {
    ...files,
    'index.html': '<script type="module" src="/src/main.ts"></script>',
    'fixtures/orders.yaml': '- path: /orders/:id\n  response: { body: { id: 7 } }\n',
  }
  project = createProjectInPackage(all)
  app = createTestProject(all)
})
afterAll(() => [project, app].forEach(({ close }) => close()))

it.each([
  ['demo', true],
  ['other', false],
])('a build in the mode %s has the fixtures: %s', async (mode, has) => {
  const { output } = (await build({
    root: app.root,
    mode,
    configFile: false,
    logLevel: 'silent',
    plugins: [mockApi()],
    build: { write: false, minify: false, target: 'es2022' },
  })) as { output: { code?: string }[] }
  expect(output.some(({ code }) => code?.includes('/orders/:id'))).toBe(has)
})

it('Vitest runs the example', async () => {
  const vitest = await startVitest(
    'test',
    [],
    {
      root: project.root,
      config: false,
      watch: false,
      reporters: [{}],
    },
    { plugins: [mockApi({ logLevel: 'silent' })] },
  )
  const results = vitest.state.getTestModules().map((module) => [module.state(), module.errors()])
  await vitest.close()
  expect(results).toEqual([['passed', []]])
})
