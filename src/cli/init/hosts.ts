import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Change } from '../../files/changes.ts'
import { attempt } from '../../core/values/thrown.ts'
import { editServer, wrapExported } from './edit-config.ts'
import { configExtensions, dependsOn, readManifest } from './project.ts'

/** A dev server whose config has no list of plugins of a bundler. */
export interface OtherHost {
  name: string
  /** Packages of projects with it. */
  packages: readonly string[]
  /** Names of its config, the first of which is for a new one. */
  files: readonly string[]
  text: string
  start: string
  origin: string
}

const connect = `const { createMiddleware } = require('unplugin-mock-api/connect')

module.exports = (app) => app.use(createMiddleware({ badge: true }))
`

const metro = (base: string) => `${base}
const { createMiddleware } = require('unplugin-mock-api/connect')

const config = getDefaultConfig(__dirname)
const mockApi = createMiddleware()
config.server.enhanceMiddleware = (metro) => (req, res, next) =>
  mockApi(req, res, () => metro(req, res, next))

module.exports = config
`

const hosts: readonly OtherHost[] = [
  {
    name: 'Next.js',
    packages: ['next'],
    files: ['next.config.mjs', 'next.config.ts', 'next.config.js'],
    text: `import { withMockApi } from 'unplugin-mock-api/next'

export default withMockApi({})
`,
    start: 'npx next dev',
    origin: 'http://localhost:3000',
  },
  {
    name: 'Angular',
    packages: ['@angular/cli', '@angular/build', '@angular-devkit/build-angular'],
    files: ['proxy.conf.mjs'],
    text: `import { mockApi } from 'unplugin-mock-api/angular'

export default mockApi()
`,
    start: 'npx ng serve',
    origin: 'http://localhost:4200',
  },
  {
    name: 'Create React App',
    packages: ['react-scripts'],
    files: ['src/setupProxy.js'],
    text: connect,
    start: 'npm start',
    origin: 'http://localhost:3000',
  },
  {
    name: 'Parcel',
    packages: ['parcel'],
    files: ['.proxyrc.cjs', '.proxyrc.js', '.proxyrc.mjs', '.proxyrc'],
    text: connect,
    start: 'npx parcel',
    origin: 'http://localhost:1234',
  },
  {
    name: 'Expo',
    packages: ['expo'],
    files: ['metro.config.js', 'metro.config.cjs'],
    text: metro("const { getDefaultConfig } = require('expo/metro-config')"),
    start: 'npx expo start',
    origin: 'http://localhost:8081',
  },
  {
    name: 'React Native',
    packages: ['react-native', 'metro'],
    files: ['metro.config.js', 'metro.config.cjs'],
    text: metro("const { getDefaultConfig } = require('@react-native/metro-config')"),
    start: 'npx react-native start',
    origin: 'http://localhost:8081',
  },
]

export function findHost(root: string): OtherHost | undefined {
  const manifest = readManifest(root)
  return hosts.find(({ packages }) => packages.some((name) => dependsOn(manifest, name)))
}

export interface Plan {
  changes: Change[]
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
export function planServer(root: string): Plan {
  const manifest = readManifest(root)
  const { type, main = '', scripts = {} } = manifest ?? {}
  const named = Object.values(scripts).flatMap((script) => script.match(/[\w./-]+\.[cm]?[jt]s\b/g) ?? [])
  const start = (name: string) => (scripts['start'] === undefined ? `run node ${name}` : 'run npm start')
  const load = (names: string, from: string) =>
    type === 'module' ? `import ${names} from '${from}'` : `const ${names} = require('${from}')`
  let isNew = dependsOn(manifest, 'express')
  for (const name of [main, ...named, ...serverNames]) {
    const path = join(root, name)
    const before = attempt(() => readFileSync(path, 'utf8'))
    if (before === undefined) continue
    isNew = false
    if (before.includes('unplugin-mock-api')) return { changes: [], notes: [], isDone: true }
    const after = editServer(before, name)
    if (after !== undefined)
      return { changes: [{ path, name, before, after }], notes: [], isDone: true, start: start(name) }
  }
  const loadOurs = load('{ createMiddleware }', 'unplugin-mock-api/connect')
  const use = 'app.use(createMiddleware())'
  if (isNew) {
    const name = 'server.js'
    const after = `${load('express', 'express')}\n${loadOurs}\n\nconst app = express()\n${use}\napp.listen(3000)\n`
    const changes = [{ path: join(root, name), name, before: undefined, after }]
    return { changes, notes: [], isDone: true, start: start(name), origin: 'http://localhost:3000' }
  }
  const note = `No config of a bundler is here. A server of your own gets the middleware:\n\n  ${loadOurs}\n\n  ${use}`
  return { changes: [], notes: [note], isDone: false, start: 'start your server' }
}

/** Changes for the host, or lines that the developer has to add. */
export function planHost(root: string, host: OtherHost): Plan {
  const { start, origin } = host
  return { ...changesFor(root, host), start: `run ${start}`, origin }
}

function changesFor(root: string, host: OtherHost): Plan {
  const name = host.files.find((file) => existsSync(join(root, file)))
  const lines = `Add these lines to it:\n\n  ${host.text.trimEnd().replaceAll('\n', '\n  ')}`
  if (name === undefined) {
    const file = {
      path: join(root, host.files[0]!),
      name: host.files[0]!,
      before: undefined,
      after: host.text,
    }
    return host.name === 'Angular' ? withProxy(root, [file]) : { changes: [file], notes: [], isDone: true }
  }
  const path = join(root, name)
  const before = readFileSync(path, 'utf8')
  if (before.includes('unplugin-mock-api'))
    return host.name === 'Angular' ? withProxy(root, []) : { changes: [], notes: [], isDone: true }
  const after = host.name === 'Next.js' ? wrapExported(before, name, 'next', 'withMockApi') : undefined
  return after === undefined
    ? { changes: [], notes: [`${name} of ${host.name} is left alone. ${lines}`], isDone: false }
    : { changes: [{ path, name, before, after }], notes: [], isDone: true }
}

interface Workspace {
  projects?: Record<string, { architect?: Record<string, { options?: Record<string, unknown> }> }>
}

/** Names the proxy configuration in angular.json, if that is written as Angular's own commands write it. */
function withProxy(root: string, changes: Change[]): Plan {
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
