import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FileChange } from '../../files/changes.ts'
import { attempt } from '../../core/values/thrown.ts'
import { editServer, wrapExported } from './edit-config.ts'
import { configExtensions, dependsOn, readManifest } from './project.ts'

/** A dev server whose config has no list of plugins of a bundler. The first name of its config is for a new one. */
type OtherHost = readonly [
  name: string,
  packages: readonly string[],
  files: readonly string[],
  start: string,
  port: number,
  text: string,
]

const connect = `const { createMiddleware } = require('unplugin-mock-api/connect')

module.exports = (app) => app.use(createMiddleware({ badge: true }))
`

const metro = (base: string) => `const { getDefaultConfig } = require('${base}/metro-config')
const { createMiddleware } = require('unplugin-mock-api/connect')

const config = getDefaultConfig(__dirname)
const mockApi = createMiddleware()
config.server.enhanceMiddleware = (metro) => (req, res, next) =>
  mockApi(req, res, () => metro(req, res, next))

module.exports = config
`

const exported = (entry: string, name: string, given = '') =>
  `import { ${name} } from 'unplugin-mock-api/${entry}'\n\nexport default ${name}(${given})\n`

const next = ['mjs', 'ts', 'js'].map((extension) => `next.config.${extension}`)
const angular = ['@angular/cli', '@angular/build', '@angular-devkit/build-angular']
const parcel = ['.proxyrc.cjs', '.proxyrc.js', '.proxyrc.mjs', '.proxyrc']
const metroFiles = ['metro.config.js', 'metro.config.cjs']

const hosts: readonly OtherHost[] = [
  ['Next.js', ['next'], next, 'npx next dev', 3000, exported('next', 'withMockApi', '{}')],
  ['Angular', angular, ['proxy.conf.mjs'], 'npx ng serve', 4200, exported('angular', 'mockApi')],
  ['Create React App', ['react-scripts'], ['src/setupProxy.js'], 'npm start', 3000, connect],
  ['Parcel', ['parcel'], parcel, 'npx parcel', 1234, connect],
  ['Expo', ['expo'], metroFiles, 'npx expo start', 8081, metro('expo')],
  [
    'React Native',
    ['react-native', 'metro'],
    metroFiles,
    'npx react-native start',
    8081,
    metro('@react-native'),
  ],
]

export function findHost(root: string): OtherHost | undefined {
  const manifest = readManifest(root)
  return hosts.find(([, packages]) => packages.some((name) => dependsOn(manifest, name)))
}

export interface InitPlan {
  changes: FileChange[]
  isDone: boolean
  /** Lines that the developer has to add. */
  notes: string[]
  root?: string | false | undefined
  /** How to start the server, and its origin if that is known. */
  start?: string
  origin?: string
}

const serverNames = ['server', 'app', 'index', 'src/server', 'src/app', 'src/index'].flatMap((name) =>
  configExtensions.map((extension) => `${name}.${extension}`),
)

/** The middleware in a server of the project's own, which is written where there is none. */
export function planServer(root: string): InitPlan {
  const manifest = readManifest(root)
  const { type, main = '', scripts = {} } = manifest ?? {}
  const named = Object.values(scripts).flatMap((script) => script.match(/[\w./-]+\.[cm]?[jt]s\b/g) ?? [])
  const done = (name: string, before: string | undefined, after = before): InitPlan => ({
    changes: after === before ? [] : [{ path: join(root, name), name, before, after: after! }],
    notes: [],
    isDone: true,
    start: scripts['start'] === undefined ? `run node ${name}` : 'run npm start',
  })
  let isNew = dependsOn(manifest, 'express')
  for (const name of [main, ...named, ...serverNames]) {
    const before = attempt(() => readFileSync(join(root, name), 'utf8'))
    if (before?.includes('unplugin-mock-api')) return done(name, before)
    const after = before && editServer(before, name)
    if (after) return done(name, before, after)
    isNew &&= before === undefined
  }
  const load = (names: string, from: string) =>
    type === 'module' ? `import ${names} from '${from}'` : `const ${names} = require('${from}')`
  const ours = load('{ createMiddleware }', 'unplugin-mock-api/connect')
  const use = 'app.use(createMiddleware())'
  const whole = `${load('express', 'express')}\n${ours}\n\nconst app = express()\n${use}\napp.listen(3000)\n`
  if (isNew) return { ...done('server.js', undefined, whole), origin: 'http://localhost:3000' }
  const note = `No config of a bundler is here. A server of your own gets the middleware:\n\n  ${ours}\n\n  ${use}`
  return { changes: [], notes: [note], isDone: false, start: 'start your server' }
}

/** Changes for the host, or lines that the developer has to add. */
export function planHost(root: string, host: OtherHost): InitPlan {
  const [, , , start, port] = host
  return { ...changesFor(root, host), start: `run ${start}`, origin: `http://localhost:${port}` }
}

function changesFor(root: string, [host, , files, , , text]: OtherHost): InitPlan {
  const name = files.find((file) => existsSync(join(root, file))) ?? files[0]!
  const path = join(root, name)
  const before = attempt(() => readFileSync(path, 'utf8'))
  const lines = `Add these lines to it:\n\n  ${text.trimEnd().replaceAll('\n', '\n  ')}`
  const isThere = before?.includes('unplugin-mock-api')
  const after =
    before === undefined
      ? text
      : host === 'Next.js'
        ? wrapExported(before, name, 'next', 'withMockApi')
        : undefined
  if (!isThere && after === undefined)
    return { changes: [], notes: [`${name} of ${host} is left alone. ${lines}`], isDone: false }
  const changes = isThere ? [] : [{ path, name, before, after: after! }]
  return host === 'Angular' ? withProxy(root, changes) : { changes, notes: [], isDone: true }
}

interface Workspace {
  projects?: Record<string, { architect?: Record<string, { options?: Record<string, unknown> }> }>
}

/** Names the proxy configuration in angular.json, if that is written as Angular's own commands write it. */
function withProxy(root: string, changes: FileChange[]): InitPlan {
  const [name, option] = ['angular.json', 'proxy.conf.mjs']
  const path = join(root, name)
  const before = attempt(() => readFileSync(path, 'utf8')) ?? ''
  if (before.includes(option)) return { changes, notes: [], isDone: true }
  const workspace = attempt(() => JSON.parse(before) as Workspace)
  const isPlain = JSON.stringify(workspace, null, 2) === before.trim()
  const served = Object.values(workspace?.projects ?? {}).flatMap(
    ({ architect }) => architect?.['serve'] ?? [],
  )
  if (
    !isPlain ||
    served.length === 0 ||
    served.some(({ options }) => options?.['proxyConfig'] !== undefined)
  ) {
    const note = `${name} is left alone. Set "proxyConfig": "${option}" in the options of "serve" there. What a proxy of yours does goes into mockApi(options, proxy).`
    return { changes, notes: [note], isDone: false }
  }
  for (const target of served) target.options = { ...target.options, proxyConfig: option }
  const after = before.replace(before.trim(), () => JSON.stringify(workspace, null, 2))
  return { changes: [...changes, { path, name, before, after }], notes: [], isDone: true }
}
