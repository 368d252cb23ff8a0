import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export { packPackage as pack } from '../../scripts/example-project.ts'

export const packageRoot = fileURLToPath(new URL('../..', import.meta.url))
const execute = promisify(execFile)
const quietly = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline']

export interface Installer {
  name: string
  /** Adds packages to the project in a folder. */
  add: (folder: string, ...packages: string[]) => Promise<unknown>
  /** The names of all that is installed in a project. */
  installed: (folder: string) => string[]
}

function run(command: string, args: readonly string[], cwd: string) {
  return execute(command, args, { cwd, shell: process.platform === 'win32', maxBuffer: 10_000_000 })
}

/** One folder with every package in it. */
export const npm: Installer = {
  name: 'npm',
  add: (folder, ...packages) => run('npm', ['install', ...quietly, ...packages], folder),
  installed(folder) {
    const lock = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')) as {
      packages: object
    }
    return Object.keys(lock.packages)
  },
}

/** Each package in a folder of its own, where it finds its own dependencies and nothing else. */
export function createPnpm(folder: string): Installer {
  let script: Promise<string> | undefined
  async function prepare(): Promise<string> {
    mkdirSync(folder)
    writeFileSync(join(folder, 'package.json'), '{}')
    await npm.add(folder, 'pnpm@10') // the last version that runs on every supported version of Node
    return join(folder, 'node_modules/pnpm/bin/pnpm.cjs')
  }
  return {
    name: 'pnpm',
    async add(project, ...packages) {
      const store = ['--store-dir', join(folder, 'store')]
      const args = [
        'add',
        ...store,
        '--ignore-scripts',
        '--prefer-offline',
        '--config.hoist=false',
        ...packages,
      ]
      return run(process.execPath, [await (script ??= prepare()), ...args], project)
    },
    installed: (project) =>
      readdirSync(join(project, 'node_modules/.pnpm')).filter((name) => name.includes('@')),
  }
}

/** The folder of an installed package. */
export function folderOf(project: string): string {
  return join(createRequire(join(project, 'any.cjs')).resolve('unplugin-mock-api/package.json'), '..')
}
