import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { changeOf, type Change } from '../../files/changes.ts'
import { attempt } from '../../core/values/thrown.ts'
import { findExport, parseCode } from '../../loader/code.ts'
import { dependsOn, readManifest } from './project.ts'

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

/** Changes for the host, or lines that the developer has to add. */
export function planHost(
  root: string,
  host: OtherHost,
): { changes: Change[]; notes: string[]; isDone: boolean } {
  const name = host.files.find((file) => existsSync(join(root, file)))
  const lines = `Add these lines to it:\n\n  ${host.text.trimEnd().replaceAll('\n', '\n  ')}`
  if (name === undefined) {
    const changes = changeOf(root, host.files[0]!, () => host.text)
    return host.name === 'Angular' ? withProxy(root, changes) : { changes, notes: [], isDone: true }
  }
  if (readFileSync(join(root, name), 'utf8').includes('unplugin-mock-api'))
    return { changes: [], notes: [], isDone: true }
  const changes =
    host.name === 'Next.js' ? changeOf(root, name, (before = '') => wrapExported(before, name)) : []
  const isDone = changes.length > 0
  return { changes, notes: isDone ? [] : [`${name} of ${host.name} is left alone. ${lines}`], isDone }
}

/** Calls `withMockApi` with what a config of Next.js exports; `undefined` where that is no expression. */
function wrapExported(text: string, name: string): string | undefined {
  const code = parseCode(text, name)
  const exported = code && findExport(code)
  if (!exported || exported.node.type.endsWith('Declaration')) return undefined
  const { start, end } = exported.node
  const load = exported.isCommonJS
    ? "const { withMockApi } = require('unplugin-mock-api/next')\n"
    : "import { withMockApi } from 'unplugin-mock-api/next'\n"
  const styled = text.includes('"') && !text.includes("'") ? load.replaceAll("'", '"') : load
  return `${styled}${text.slice(0, start)}withMockApi(${text.slice(start, end)})${text.slice(end)}`
}

interface Workspace {
  projects?: Record<string, { architect?: Record<string, { options?: Record<string, unknown> }> }>
}

/** Names the proxy configuration in angular.json, if that is written as Angular's own commands write it. */
function withProxy(root: string, changes: Change[]): ReturnType<typeof planHost> {
  const [name, option] = ['angular.json', changes[0]!.name]
  const path = join(root, name)
  const before = attempt(() => readFileSync(path, 'utf8')) ?? ''
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
