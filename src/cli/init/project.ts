import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { attempt } from '../../core/values/thrown.ts'

export interface KnownBundler {
  name: string
  config: string
  entry: 'vite' | 'webpack' | 'rspack' | 'rsbuild'
  /** Keys from the exported object to the object with `plugins`. */
  path: readonly string[]
  /** The option for the project's folder, which `fixtures` is in. */
  root?: string
  options?: string
  /** Code for the list of plugins, from the call of ours. */
  call?: (plugin: string) => string
}

/** Frameworks first: they use Vite, but have configs of their own. */
export const bundlers: readonly KnownBundler[] = [
  {
    name: 'Nuxt',
    config: 'nuxt.config',
    entry: 'vite',
    path: ['vite'],
    // The root of Nuxt's Vite is the folder of the application's code.
    options: '{ root: import.meta.dirname }',
  },
  { name: 'Astro', config: 'astro.config', entry: 'vite', path: ['vite'] },
  { name: 'Vue CLI', config: 'vue.config', entry: 'webpack', path: ['configureWebpack'] },
  {
    name: 'Docusaurus',
    config: 'docusaurus.config',
    entry: 'webpack',
    path: [],
    call: (plugin) => `() => ({ name: 'mock-api', configureWebpack: () => ({ plugins: [${plugin}] }) })`,
  },
  { name: 'Rsbuild', root: 'root', config: 'rsbuild.config', entry: 'rsbuild', path: [] },
  { name: 'Rspack', root: 'context', config: 'rspack.config', entry: 'rspack', path: [] },
  { name: 'Vite', root: 'root', config: 'vite.config', entry: 'vite', path: [] },
  { name: 'webpack', root: 'context', config: 'webpack.config', entry: 'webpack', path: [] },
]

export function callOf({ options = '', call = (plugin) => plugin }: KnownBundler, local: string): string {
  return call(`${local}(${options})`)
}

export const configExtensions = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs']

export interface FoundConfig {
  bundler: KnownBundler
  name: string
}

export function findConfigs(root: string): FoundConfig[] {
  return bundlers.flatMap((bundler) =>
    configExtensions
      .map((extension) => `${bundler.config}.${extension}`)
      .filter((name) => existsSync(join(root, name)))
      .map((name) => ({ bundler, name })),
  )
}

/** `webpack.dev.js` is of webpack. */
export function bundlerOf(name: string): KnownBundler | undefined {
  return bundlers.find(({ config }) => name.startsWith(config.split('.')[0]!))
}

interface Manifest {
  name?: string
  type?: string
  main?: string
  scripts?: Record<string, string>
  packageManager?: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

export function readManifest(folder: string): Manifest | undefined {
  return attempt(() => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest)
}

export function dependsOn(manifest: Manifest | undefined, name: string): boolean {
  return Object.hasOwn({ ...manifest?.dependencies, ...manifest?.devDependencies }, name)
}

export function newViteConfig(root: string): FoundConfig {
  const isModule = readManifest(root)?.type === 'module'
  const extension = existsSync(join(root, 'tsconfig.json')) ? 'ts' : isModule ? 'js' : 'mjs'
  return { bundler: bundlerOf('vite')!, name: `vite.config.${extension}` }
}

const installCommands: Record<string, string> = {
  npm: 'npm install --save-dev',
  pnpm: 'pnpm add --save-dev',
  yarn: 'yarn add --dev',
  bun: 'bun add --dev',
}

const lockFiles = {
  'package-lock.json': 'npm',
  'npm-shrinkwrap.json': 'npm',
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
}

export function installCommand(root: string, packageName: string): string {
  return `${installCommands[findPackageManager(root)]} ${packageName}`
}

/** The package manager of the nearest `packageManager` or lock file upwards; the default is npm. */
function findPackageManager(folder: string): string {
  const named = /^\w+/.exec(readManifest(folder)?.packageManager ?? '')?.[0]
  if (named !== undefined && Object.hasOwn(installCommands, named)) return named
  for (const [file, manager] of Object.entries(lockFiles)) if (existsSync(join(folder, file))) return manager
  const parent = dirname(folder)
  return parent === folder ? 'npm' : findPackageManager(parent)
}
