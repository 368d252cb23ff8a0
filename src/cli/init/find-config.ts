import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundlers, configExtensions, type Bundler } from './bundlers.ts'

export interface FoundConfig {
  bundler: Bundler
  /** The name of the file. */
  name: string
}

/** The configs in the folder of a project, those of frameworks first. */
export function findConfigs(root: string): FoundConfig[] {
  return bundlers.flatMap((bundler) =>
    configExtensions
      .map((extension) => `${bundler.config}.${extension}`)
      .filter((name) => existsSync(join(root, name)))
      .map((name) => ({ bundler, name })),
  )
}

/** The bundler that a config belongs to, by its name: `webpack.dev.js` is of webpack. */
export function bundlerOf(name: string): Bundler | undefined {
  return bundlers.find(({ config }) => name.startsWith(config.split('.')[0]!))
}

interface Manifest {
  type?: string
  packageManager?: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

/** The package.json in a folder; `undefined` if there is none that can be read. */
export function readManifest(folder: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  } catch {
    return undefined
  }
}

export function dependsOn(manifest: Manifest | undefined, name: string): boolean {
  return Object.hasOwn({ ...manifest?.dependencies, ...manifest?.devDependencies }, name)
}

/** The config that a project with Vite gets if it has none. */
export function newViteConfig(root: string): FoundConfig {
  const bundler = bundlerOf('vite')!
  if (existsSync(join(root, 'tsconfig.json'))) return { bundler, name: 'vite.config.ts' }
  return { bundler, name: readManifest(root)?.type === 'module' ? 'vite.config.js' : 'vite.config.mjs' }
}
