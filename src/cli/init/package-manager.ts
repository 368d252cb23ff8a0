import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readManifest } from './find-config.ts'

const installCommands = {
  npm: 'npm install --save-dev',
  pnpm: 'pnpm add --save-dev',
  yarn: 'yarn add --dev',
  bun: 'bun add --dev',
} as const
type PackageManager = keyof typeof installCommands

const lockFiles: Record<string, PackageManager> = {
  'package-lock.json': 'npm',
  'npm-shrinkwrap.json': 'npm',
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
}

/** How the project installs a package for development: `pnpm add --save-dev unplugin-mock-api`. */
export function installCommand(root: string, packageName: string): string {
  return `${installCommands[findPackageManager(root)]} ${packageName}`
}

/** The package manager of the nearest lock file or `packageManager`, from the project upwards; npm if there is neither. */
function findPackageManager(folder: string): PackageManager {
  const named = /^\w+/.exec(readManifest(folder)?.packageManager ?? '')?.[0]
  if (named !== undefined && Object.hasOwn(installCommands, named)) return named as PackageManager
  for (const [file, manager] of Object.entries(lockFiles)) if (existsSync(join(folder, file))) return manager
  const parent = dirname(folder)
  return parent === folder ? 'npm' : findPackageManager(parent)
}
