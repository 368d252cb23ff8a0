/* An application, and what its fixture files import of it. */
const png = 'not really a picture'

/** The application. Its values say which module they come from. */
export const files = {
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
    "declare const __VERSION__: string\nexport const config = [__VERSION__, typeof process.env.PATH, process.env.API_URL, process.env.API_KEY, import.meta.env.MODE, 'import.meta.url']\n",
  'shared/lib/index.ts': "export const lib = 'shared/lib'\n",
  'roots/only/here.ts': "export const here = 'roots/only/here'\n",
}

export const tsconfig = {
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
export const rows: [name: string, imports: string, value: string, expected: unknown][] = [
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

export const fixture = (imports: string, value: string) =>
  `${imports}\nexport default async () => [{ path: '/value', response: { body: { value: ${value} } } }]\n`

export const routeFiles = Object.fromEntries(
  rows.map(([, imports, value], index) => [
    `fixtures/row${index}.ts`,
    fixture(imports, value).replace('/value', `/value/${index}`),
  ]),
)
