import { describe, expect, it } from 'vitest'
import { lookAtModule } from '../../../src/loader/module/look-at-module.ts'
import { Project, endpoints, expectAnswers, templateEndpoints, type Files } from '../project.ts'

const x = {
  'fixtures/lib/x.ts':
    "export const routes = [{ path: '/x', response: { body: 1 } }]\nexport default routes\n",
}

function look(text: string, files: Files = x) {
  const project = new Project(files)
  const { isFixture, files: seen } = lookAtModule(project.path('fixtures/a.ts'), text)
  return { isFixture, files: seen.map((file) => file.slice(project.root.length + 1)) }
}

describe('a module whose routes come from another one is a fixture file', () => {
  it.each([
    ["export { default } from './lib/x'"],
    ["export { routes as default } from './lib/x'"],
    ["import routes from './lib/x'\nexport default routes"],
    ["import { routes } from './lib/x'\nexport default routes"],
    ["import { routes as list } from './lib/x'\nexport default list"],
    ["import { routes as list } from './lib/x'\nexport { list as default }"],
    ["import { one, routes } from './lib/x'\nexport default [routes, one].flat()"],
    ["import { routes } from './lib/x'\nexport default [...routes]"],
    ["import { routes } from './lib/x'\nexport default () => routes"],
    ["import { routes } from './lib/x'\nexport default async () => (await routes)"],
    ["import { routes } from './lib/x'\nexport default routes.slice(1)"],
    ["import { routes } from './lib/x'\nconst list: unknown[] = [\n  ...routes,\n]\nexport default list"],
    ["import * as all from './lib/x'\nexport default all.routes"],
    ["const { routes } = require('./lib/x')\nmodule.exports = routes"],
    ["const routes = require('./lib/x')\nmodule.exports = routes"],
    ["import routes = require('./lib/x')\nexport = routes"],
  ])('%s', (text) => {
    expect(look(text)).toEqual({ isFixture: true, files: text.includes('[...') ? [] : ['fixtures/lib/x.ts'] })
  })

  it.each<[what: string, barrel: string]>([
    ['all of it', "export * from './x'"],
    ['by name', "export { routes } from './x'"],
    ['by another name', "export { list as routes } from './x'"],
    ['after an import', "import { routes } from './x'\nexport { routes }"],
  ])('also through an index that exports %s', (_, barrel) => {
    const files = { ...x, 'fixtures/lib/index.ts': barrel }
    expect(look("export { routes as default } from './lib/index'", files)).toEqual({
      isFixture: true,
      files: ['fixtures/lib/index.ts', 'fixtures/lib/x.ts'],
    })
  })
})

describe('a module that exports no routes is not run', () => {
  it.each([
    ["import { routes } from './lib/x'\nexport default function setup() { return routes }"],
    ["import { routes } from './lib/x'\nexport const list = routes"],
    ["import { routes } from './lib/x'\nexport default { title: 'Story' }"],
    ["import { users } from './lib/users'\nexport default users"],
    ["export { users as default } from './lib/users'"],
    ["import users from './lib/users'\nexport default users"],
    ["import { routes } from './lib/gone'\nexport default routes"],
    ["import { a } from './a'\nexport default a"],
    ['export default (([((((('],
  ])('%s', (text) => {
    const users = 'const users = new Map()\nexport { users, users as default }'
    expect(look(text, { ...x, 'fixtures/lib/users.ts': users }).isFixture).toBe(false)
  })

  it('is said in the terminal, and looked at again when what it imports has changed', async () => {
    const project = new Project({
      'fixtures/a.ts': "export { routes as default } from '../lib/x'",
      'lib/x.ts': 'globalThis.mockApiWasRun = true\nexport const routes = []',
    })
    const store = await project.watch()
    expect(endpoints(store)).toEqual(templateEndpoints)
    expect(globalThis).not.toHaveProperty('mockApiWasRun')
    expect(project.logs).toEqual([
      expect.stringMatching(
        /^warn .*One file has no routes, so it is left out: fixtures\/a\.ts\.\n.*`defineFixture`/,
      ),
    ])
    project.write('lib/x.ts', "export const routes = [{ path: '/x', response: { body: 1 } }]")
    await expectAnswers(store, ['GET /x 1'])
  })
})
