/* What modules of an application import, fixture files can import: each row in each host, and in each other way to load fixtures. */
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadRoutes } from '../../src/load.ts'
import { sendTo } from '../http.ts'
import { hosts, type Start } from './hosts.ts'
import { projectOfTest } from './of-test.ts'

const png = 'not really a picture'

/** The application. Its values say which module they come from. */
const files = {
  'package.json': JSON.stringify({ type: 'module', imports: { '#src/*': './src/*.ts' } }),
  'src/api/user.ts': "export interface User { id: number }\nexport const user = 'src/api/user'\n",
  'src/api/index.ts': "export { user as viaIndex } from '@/api/user'\n",
  'src/other.js': "export const other = 'src/other'\n",
  'src/exact.ts': "export const exact = 'src/exact'\n",
  'src/roles.ts':
    "export enum Role { Admin = 'admin' }\nexport const enum Level { Low = 1 }\nexport namespace Names { export const first = 'n' }\n",
  'src/button.tsx':
    "import './button.css'\nimport logo from './logo.png'\nexport enum Kind { Big = 'big' }\nconst icon = <b>{logo}</b>\nexport const Button = () => <button>{icon}</button>\n",
  'src/button.css': 'a { color: red }',
  'src/style.module.scss': '$a: 1;',
  'src/logo.png': png,
  'src/data.json': '{ "n": 1 }',
  'src/text.md': '# Text',
  'src/app.vue': '<template><p /></template>',
  'src/fragment.graphql': 'fragment Parts on Hero { id }\n',
  'src/hero.graphql': '#import "./fragment.graphql"\nquery Hero { hero { ...Parts } }\n',
  'src/service.ts':
    'function tag(target: unknown, key: string) {}\nexport class Service {\n  @tag method() { return 1 }\n}\nexport const service = new Service().method()\n',
  'src/config.ts':
    "declare const __VERSION__: string\nexport const config = [__VERSION__, typeof process.env.PATH, process.env.API_URL, import.meta.env.MODE, 'import.meta.url']\n",
  'shared/lib/index.ts': "export const lib = 'shared/lib'\n",
  'roots/only/here.ts': "export const here = 'roots/only/here'\n",
}

const tsconfig = {
  'tsconfig.json': '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }',
  'tsconfig.app.json': `{
    // with a comment
    "extends": ["./tsconfig.base.json", "./tsconfig.strict.json"],
    "compilerOptions": { "paths": { "@/*": ["../src/*"], "lib": ["../nowhere", "../shared/lib"], "exact": ["../src/exact.ts"], }, },
  }`,
  'tsconfig.base.json': '{ "compilerOptions": { "baseUrl": "./roots" } }',
  'tsconfig.strict.json': '{ "compilerOptions": { "strict": true } }',
}

/** Imports, what they give, and whether only a host's config knows them. */
const rows: [name: string, imports: string, value: string, expected: unknown][] = [
  ['an alias', "import { user } from '@/api/user'", 'user', 'src/api/user'],
  ['an alias of a folder, and an alias in the module', "import { viaIndex } from '@/api'", 'viaIndex', 'src/api/user'], // prettier-ignore
  ['another extension', "import { user } from '@/api/user.js'", 'user', 'src/api/user'],
  ['JavaScript', "import { other } from '@/other'", 'other', 'src/other'],
  ['several places', "import { lib } from 'lib'", 'lib', 'shared/lib'],
  ['an exact name', "import { exact } from 'exact'", 'exact', 'src/exact'],
  ['a root of modules', "import { here } from 'only/here'", 'here', 'roots/only/here'],
  ['the imports of package.json', "import { user } from '#src/api/user'", 'user', 'src/api/user'],
  ['import()', '', "(await import('@/api/user')).user", 'src/api/user'],
  ['a type', "import type { User } from '@/api/none'\nimport { User as U } from '@/api/user'", '(1 as unknown as User & U)', 1], // prettier-ignore
  ['enums and namespaces', "import { Level, Names, Role } from '@/roles'", '[Role.Admin, Level.Low, Names.first]', ['admin', 1, 'n']], // prettier-ignore
  ['an enum of a component', "import { Kind } from '@/button'", 'Kind.Big', 'big'],
  ['decorators', "import { service } from '@/service'", 'service', 1],
  ['a style', "import style from '@/style.module.scss'", 'style', {}],
  ['JSON', "import data from '@/data.json'", 'data.n', 1],
  ['a text', "import text from '@/text.md?raw'", 'text', '# Text'],
  ['the text of a relative file', "import text from '../src/text.md?raw'", 'text', '# Text'],
  ['a URL', "import url from '@/text.md?url'", 'url', '/src/text.md'],
  ['a picture', "import logo from '@/logo.png'", 'logo', '/src/logo.png'],
  ['a component', "import App from '@/app.vue'", 'App', {}],
  ['an operation', "import all, { Hero } from '@/hero.graphql'", '[all.kind, Hero.definitions.length]', ['Document', 2]], // prettier-ignore
]

const fixture = (imports: string, value: string) =>
  `${imports}\nexport default async () => [{ path: '/value', response: { body: { value: ${value} } } }]\n`

const routeFiles = Object.fromEntries(
  rows.map(([, imports, value], index) => [
    `fixtures/row${index}.ts`,
    fixture(imports, value).replace('/value', `/value/${index}`),
  ]),
)

const below = (...path: string[]) => path.join('/')
const settings = (root: string): Required<Pick<Start, 'config'>> => {
  const alias = { '@': below(root, 'src'), lib: [below(root, 'nowhere'), below(root, 'shared/lib')] }
  return {
    config: {
      vite: {
        resolve: {
          alias: [
            { find: /^@\/(.*)/, replacement: `${root}/src/$1` },
            { find: 'lib', replacement: '/shared/lib' },
            { find: 'exact', replacement: './src/exact.ts' },
            { find: /^only\//, replacement: `${root}/roots/only/` },
          ],
        },
        define: { __VERSION__: '"1.2"', 'process.env.API_URL': JSON.stringify('/api') },
      },
      compiler: {
        resolve: {
          alias: { ...alias, exact$: below(root, 'src/exact.ts') },
          modules: [join(root, 'roots'), 'node_modules'],
        },
      },
      define: {
        __VERSION__: '"1.2"',
        'process.env': { API_URL: '"/api"' },
        'import.meta.env.MODE': '"development"',
      },
      rsbuild: {
        resolve: { alias: { ...alias, exact$: './src/exact.ts', only: './roots/only' } },
        source: { define: { __VERSION__: '"1.2"', 'process.env.API_URL': '"/api"' } },
      },
    },
  }
}

const loading = hosts.filter(({ name }) => /^(?:node:http|Vite \d dev|webpack|Rspack|Rsbuild dev)/.test(name))

describe.each(loading)('$name', ({ name, start }) => {
  it('imports what the application does', async () => {
    const project = projectOfTest({ ...files, ...(name === 'node:http' ? tsconfig : {}), ...routeFiles })
    const running = await start(project, settings(project.root))
    onTestFinished(() => running.close())
    const send = sendTo(running.origin)
    await send({ url: '/value/0' })
    expect(running.log.join('\n')).not.toMatch(/\[fixture-/)
    for (const [index, [row, , , expected]] of rows.entries()) {
      const { text } = await send({ url: `/value/${index}` })
      expect([row, text]).toEqual([row, JSON.stringify({ value: expected })])
    }
  })

  it.skipIf(name === 'node:http')('has the values of its define, and of import.meta.env', async () => {
    const project = projectOfTest({
      ...files,
      'fixtures/a.ts': fixture("import { config } from '../src/config'", 'config'),
    })
    const running = await start(project, settings(project.root))
    onTestFinished(() => running.close())
    const { text } = await sendTo(running.origin)({ url: '/value' })
    expect(text).toBe('{"value":["1.2","string","/api","development","import.meta.url"]}')
  })
})

it('loadRoutes imports what the application does', async () => {
  const project = projectOfTest({ ...files, ...tsconfig, ...routeFiles })
  const routes = await loadRoutes('fixtures', { root: project.root })
  const values = new Map(routes.map(({ path, response }) => [path, (response as { body: unknown }).body]))
  for (const [index, [row, , , expected]] of rows.entries())
    expect([row, values.get(`/value/${index}`)]).toEqual([row, { value: expected }])
})
