import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createTestProject } from '../../hosts/test-project.ts'
import { runIn } from '../test-terminal.ts'

const viteConfig = `import { defineConfig } from 'vite'\n\nexport default defineConfig({ plugins: [] })\n`
const withPlugin = `import { defineConfig } from 'vite'\nimport mockApi from 'unplugin-mock-api/vite'\n\nexport default defineConfig({ plugins: [mockApi()] })\n`

function createProject(files: Record<string, string> = {}) {
  const project = createTestProject(files)
  onTestFinished(project.close)
  const read = (name: string) => readFileSync(join(project.root, name), 'utf8')
  const names = () => readdirSync(project.root).sort()
  return { ...project, read, names }
}

it('without a terminal it shows the change, and writes it only with --yes', async () => {
  const { root, read, names } = createProject({ 'vite.config.ts': viteConfig })
  const before = names()
  const shown = await runIn(root, ['init'])
  expect(shown.exitCode).toBe(1)
  expect(shown.stdout).toContain(`+import mockApi from 'unplugin-mock-api/vite'\n`)
  expect(shown.stdout).toContain('fixtures/graphql.yaml (new)\n')
  expect(shown.stderr).toBe('\nNothing was written. Run it again with --yes to write this.\n')
  expect(names()).toEqual(before)

  const written = await runIn(root, ['init', '--yes'])
  expect(written.exitCode).toBe(0)
  expect(written.stdout).toContain('Written: vite.config.ts, fixtures/graphql.yaml, fixtures/items.yaml\n')
  expect(written.stdout).toContain('Install the package: npm install --save-dev unplugin-mock-api\n')
  expect(read('vite.config.ts')).toBe(withPlugin)
  for (const name of ['graphql.yaml', 'items.yaml']) {
    const [first, ...rest] = read(`fixtures/${name}`).split('\n')
    expect(first).toBe(
      '# yaml-language-server: $schema=../node_modules/unplugin-mock-api/fixture.schema.json',
    )
    expect(rest).toEqual(readFileSync(`fixtures/${name}`, 'utf8').split('\n').slice(1))
  }

  const again = await runIn(root, ['init', '--yes'])
  expect(again.exitCode).toBe(0)
  expect(again.stdout).toContain('Nothing to change')
  expect(read('vite.config.ts')).toBe(withPlugin)
  expect((await runIn(root, ['check'])).stdout).toContain(
    '5 routes from fixtures/graphql.yaml, fixtures/items.yaml',
  )
})

it.each([
  [true, 0, withPlugin, ['\nWrite this?', '\nLet coding agents ask the dev server?']],
  [false, 1, viteConfig, ['\nWrite this?']],
])('in a terminal it asks: %s', async (answer, exitCode, config, questions) => {
  const { root, read } = createProject({ 'vite.config.ts': viteConfig })
  const ran = await runIn(root, ['init'], answer)
  expect(ran.exitCode).toBe(exitCode)
  expect(ran.questions).toEqual(questions)
  expect(read('vite.config.ts')).toBe(config)
})

it('a config that is left alone: the lines are printed, and the fixtures are written', async () => {
  const config = 'export default mergeConfig(a, b)\n'
  const { root, read } = createProject({ 'rspack.config.mjs': config })
  const ran = await runIn(root, ['init', '--yes'])
  expect(ran.exitCode).toBe(1)
  expect(ran.stdout)
    .toContain(`rspack.config.mjs is left alone: it does not export one object. Add these lines to it:

  import mockApi from 'unplugin-mock-api/rspack'

  plugins: [mockApi()]
`)
  expect(read('rspack.config.mjs')).toBe(config)
  expect(read('fixtures/items.yaml')).toContain('path: /items')
})

it('fixture files of the project stay as they are', async () => {
  const { root } = createProject({ 'vite.config.ts': viteConfig, 'fixtures/a.yaml': '- path: /a\n' })
  const { stdout } = await runIn(root, ['init', '--yes'])
  expect(stdout).toContain('Written: vite.config.ts\n')
  expect(readdirSync(join(root, 'fixtures'))).toEqual(['a.yaml'])
})

it.each([
  ['fixtures', viteConfig, 'a.yaml'],
  [
    'mocks',
    withPlugin.replace('mockApi()', "mockApi({ fixtures: ['*.mock.ts', 'mocks'] })"),
    '../other.yaml',
  ],
])('files of an example, in %s, beside what is there', async (folder, config, other) => {
  const { root, read } = createProject({
    'vite.config.ts': config,
    [`${folder}/${other}`]: '- path: /a\n',
    [`${folder}/sign-in/page.ts`]: 'export const page = 1\n',
  })
  const { stdout } = await runIn(root, ['init', '--yes', '--example', 'sign-in'])
  const names = ['provider.ts', 'tokens.ts', 'users.yaml'].map((name) => `${folder}/sign-in/${name}`)
  expect(stdout).toContain(`${names.join(', ')}\n`)
  expect(stdout).toContain('open /oidc/.well-known/openid-configuration on it')
  expect(stdout).not.toContain('/items')
  expect(read(`${folder}/sign-in/page.ts`)).toBe('export const page = 1\n')
  expect(read(`${folder}/sign-in/users.yaml`)).toMatch(
    /^# yaml-language-server: \$schema=\.\.\/\.\.\/node_modules\//,
  )
  expect((await runIn(root, ['check'])).stdout).toContain('routes from')
  expect((await runIn(root, ['init', '--yes', '--example', 'sign-in'])).stdout).toContain('Nothing to change')
})

it.each<[what: string, files: Record<string, string>, text: string]>([
  ['of the folder that the plugin reads', { 'vite.config.ts': withPlugin.replace('mockApi()', "mockApi({ fixtures: 'mocks' })"), 'mocks/a.yaml': '- path: /a\n' }, 'Nothing to change'],
  ['that are still to be imported', { 'vite.config.ts': viteConfig, 'package.json': '{ "devDependencies": { "msw": "*" } }' }, 'Import the mocks of msw: npx unplugin-mock-api import msw <files…>\n'],
])('no starter files beside routes %s', async (_, files, text) => {
  const { root, names } = createProject(files)
  expect((await runIn(root, ['init', '--yes'])).stdout).toContain(text)
  expect(names()).not.toContain('fixtures')
}) // prettier-ignore

it.each<[answer: boolean | undefined, left: string[]]>([
  [undefined, ['db.yaml', 'graphql.yaml', 'items.yaml']],
  [true, ['db.yaml', 'graphql.yaml']],
])('an import offers to delete the starter files that were not edited: %s', async (answer, left) => {
  const project = createProject({ 'vite.config.ts': viteConfig, 'db.json': '{ "db": { "a": 1 } }' })
  await runIn(project.root, ['init', '--yes'])
  project.write('fixtures/graphql.yaml', '- path: /mine\n')
  const ran = await runIn(project.root, ['import', 'json-server', 'db.json'], answer)
  expect(readdirSync(join(project.root, 'fixtures'))).toEqual(left)
  if (answer) expect(ran.questions).toEqual(['Delete the starter templates fixtures/items.yaml?'])
  else expect(ran.stderr).toContain('Delete them: fixtures/items.yaml\n')
})

it('the folder is added to the files that the editor checks', async () => {
  const tsconfig = '{\n  // of Vite\n  "include": ["src"]\n}\n'
  const { root, read } = createProject({
    'vite.config.ts': viteConfig,
    'tsconfig.json': '{ "files": [] }',
    'tsconfig.app.json': tsconfig,
  })
  const ran = await runIn(root, ['init', '--yes'])
  expect(ran.stdout).toContain('+  "include": ["src", "fixtures"]\n')
  expect(read('tsconfig.app.json')).toBe(tsconfig.replace('["src"]', '["src", "fixtures"]'))
  expect((await runIn(root, ['init', '--yes'])).stdout).toContain('Nothing to change')
})

it('the fixtures are in the root that the config names', async () => {
  const { root, read } = createProject({ 'vite.config.ts': `export default { root: 'app' }\n` })
  await runIn(root, ['init', '--yes'])
  expect(read('app/fixtures/items.yaml')).toContain('$schema=../../node_modules/unplugin-mock-api/')
})

it.each<[what: string, files: Record<string, string>, created: string[]]>([
  ['TypeScript', { 'tsconfig.json': '{}' }, ['vite.config.ts']],
  ['JavaScript', {}, ['vite.config.js']],
])('a project with Vite and no config gets one: %s', async (_, files, created) => {
  const manifest = '{ "type": "module", "devDependencies": { "vite": "*", "unplugin-mock-api": "*" } }'
  const { root, names } = createProject({ 'package.json': manifest, ...files })
  const before = names()
  const { stdout } = await runIn(root, ['init', '--yes'])
  expect(names().filter((name) => !before.includes(name))).toEqual(['fixtures', ...created])
  expect(stdout).not.toContain('Install the package')
})

it.each<[files: Record<string, string>, command: string]>([
  [{ 'pnpm-lock.yaml': '' }, 'pnpm add --save-dev unplugin-mock-api'],
  [{ 'yarn.lock': '' }, 'yarn add --dev unplugin-mock-api'],
  [{ 'bun.lock': '' }, 'bun add --dev unplugin-mock-api'],
  [{ 'package.json': '{ "packageManager": "pnpm@10.1.0" }', 'yarn.lock': '' }, 'pnpm add --save-dev unplugin-mock-api'],
])('%j installs with %s', async (files, command) => {
  const { root } = createProject({ 'vite.config.ts': viteConfig, ...files })
  expect((await runIn(root, ['init', '--yes'])).stdout).toContain(`Install the package: ${command}\n`)
}) // prettier-ignore

it.each<[args: string[], files: Record<string, string>, exitCode: number, text: string]>([
  [[], { 'vite.config.ts': '', 'webpack.config.js': '' }, 1, 'several configs: vite.config.ts, webpack.config.js. Choose one with --config.'],
  [['--config', 'webpack.dev.js'], { 'webpack.dev.js': 'module.exports = {}' }, 0, 'Written: webpack.dev.js'],
  [['--config', 'none.ts'], {}, 2, 'There is no config none.ts'],
  [['--config', 'esbuild.js'], { 'esbuild.js': '' }, 2, 'The bundler of esbuild.js is unknown'],
  [['--root', '..'], {}, 2, 'There is no package.json in '],
  [['--root', 'none'], {}, 2, 'There is no folder '],
  [[], { 'package.json': '{}' }, 1, "const { createMiddleware } = require('unplugin-mock-api/connect')\n\n  app.use(createMiddleware())"],
  [[], {}, 1, "import { createMiddleware } from 'unplugin-mock-api/connect'\n\n  app.use(createMiddleware())"],
  [[], {}, 1, 'Then start your server, and open /items on it.'],
  [['--config', 'vue.config.js'], { 'vue.config.js': 'module.exports = {}' }, 0, 'Written: vue.config.js'],
])('%j with %j ends with %i', async (args, files, exitCode, text) => {
  const { root } = createProject(files)
  const ran = await runIn(root, ['init', '--yes', ...args])
  expect(ran.exitCode).toBe(exitCode)
  expect(ran.stdout + ran.stderr).toContain(text)
}) // prettier-ignore

const host = (name: string) => JSON.stringify({ devDependencies: { [name]: '*', 'unplugin-mock-api': '*' } })
const express = (more: object) =>
  JSON.stringify({ dependencies: { express: '*', 'unplugin-mock-api': '*' }, ...more })
const angular = (options?: object) =>
  `${JSON.stringify({ projects: { app: { architect: { serve: { builder: 'b', ...(options && { options }) } } } } }, null, 2)}\n`

it.each<[name: string, files: Record<string, string>, written: Record<string, string>]>([
  ['next', { 'next.config.ts': 'const config = {}\n\nexport default config\n' }, { 'next.config.ts': "import { withMockApi } from 'unplugin-mock-api/next'\n\nconst config = {}\n\nexport default withMockApi(config)\n" }],
  ['next', { 'next.config.js': '/** @type {import("next").NextConfig} */\nmodule.exports = {}\n' }, { 'next.config.js': 'const { withMockApi } = require(\'unplugin-mock-api/next\')\n\n/** @type {import("next").NextConfig} */\nmodule.exports = withMockApi({})\n' }],
  ['next', {}, { 'next.config.mjs': "import { withMockApi } from 'unplugin-mock-api/next'\n\nexport default withMockApi({})\n" }],
  ['@angular/cli', { 'angular.json': angular() }, { 'angular.json': angular({ proxyConfig: 'proxy.conf.mjs' }), 'proxy.conf.mjs': "import { mockApi } from 'unplugin-mock-api/angular'\n\nexport default mockApi()\n" }],
  ['@angular/cli', { 'angular.json': angular(), 'proxy.conf.mjs': "import 'unplugin-mock-api/angular'" }, { 'angular.json': angular({ proxyConfig: 'proxy.conf.mjs' }) }],
  ['react-scripts', {}, { 'src/setupProxy.js': "const { createMiddleware } = require('unplugin-mock-api/connect')\n\nmodule.exports = (app) => app.use(createMiddleware({ badge: true }))\n" }],
  ['parcel', {}, { '.proxyrc.cjs': "const { createMiddleware } = require('unplugin-mock-api/connect')\n\nmodule.exports = (app) => app.use(createMiddleware({ badge: true }))\n" }],
  ['@vue/cli-service', { 'vue.config.js': 'module.exports = { pages: {} }\n' }, { 'vue.config.js': "const mockApi = require('unplugin-mock-api/webpack')\n\nmodule.exports = { pages: {}, configureWebpack: { plugins: [mockApi()] } }\n" }],
  ['express', { 'package.json': express({ scripts: { start: 'node bin/www.js' } }), 'bin/www.js': "const express = require('express');\nconst app = express();\nconst routes = require('./routes');\n" }, { 'bin/www.js': "const express = require('express');\nconst { createMiddleware } = require('unplugin-mock-api/connect');\nconst app = express();\napp.use(createMiddleware());\nconst routes = require('./routes');\n" }],
  ['express', { 'package.json': express({ type: 'module' }), 'src/app.ts': "import connect from 'connect'\n\nexport const app = connect()\n" }, { 'src/app.ts': "import connect from 'connect'\nimport { createMiddleware } from 'unplugin-mock-api/connect'\n\nexport const app = connect()\napp.use(createMiddleware())\n" }],
  ['express', {}, { 'server.js': "const express = require('express')\nconst { createMiddleware } = require('unplugin-mock-api/connect')\n\nconst app = express()\napp.use(createMiddleware())\napp.listen(3000)\n" }],
  ['@docusaurus/core', { 'docusaurus.config.js': 'export default { plugins: [] }\n' }, { 'docusaurus.config.js': "import mockApi from 'unplugin-mock-api/webpack'\n\nexport default { plugins: [() => ({ name: 'mock-api', configureWebpack: () => ({ plugins: [mockApi()] }) })] }\n" }],
])('a project with %s and %j', async (name, files, written) => {
  const { root, read } = createProject({ 'package.json': host(name), ...files })
  const ran = await runIn(root, ['init', '--yes'])
  expect([ran.exitCode, ran.stderr]).toEqual([0, ''])
  expect(Object.fromEntries(Object.keys(written).map((file) => [file, read(file)]))).toEqual(written)
  expect(ran.stdout).toContain('The inspector is at /__mock-api/ there.')
  const again = await runIn(root, ['init', '--yes'])
  expect([again.exitCode, again.stdout]).toEqual([0, expect.stringContaining('Nothing to change')])
}) // prettier-ignore

it.each<[name: string, files: Record<string, string>, text: string]>([
  ['next', { 'next.config.js': 'export default function config() {}' }, 'next.config.js of Next.js is left alone. Add these lines to it:\n\n  import { withMockApi }'],
  ['react-scripts', { 'src/setupProxy.js': 'module.exports = () => {}' }, "is left alone. Add these lines to it:\n\n  const { createMiddleware } = require('unplugin-mock-api/connect')"],
  ['@angular/cli', { 'angular.json': angular({ proxyConfig: 'mine.json' }) }, 'angular.json is left alone. Set "proxyConfig": "proxy.conf.mjs"'],
  ['@angular/cli', { 'angular.json': '{ /* mine */ }' }, 'angular.json is left alone.'],
])('lines for a project with %s and %j', async (name, files, text) => {
  const { root, read } = createProject({ 'package.json': host(name), ...files })
  const ran = await runIn(root, ['init', '--yes'])
  expect([ran.exitCode, ran.stdout]).toEqual([1, expect.stringContaining(text)])
  expect(ran.stdout).toContain('curl http://localhost:')
  for (const [file, before] of Object.entries(files)) expect(read(file)).toBe(before)
}) // prettier-ignore
