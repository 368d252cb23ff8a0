/* The package as it would be published, and the apps that install it. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './process.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'artifacts', 'frameworks')
const MINUTE = 60_000

/** Packs what `npm run build` has made. Gives back the tarball. */
export async function pack() {
  if (!existsSync(join(root, 'dist', 'vite.d.ts'))) throw new Error('There is no dist. Run `npm run build`.')
  mkdirSync(folder, { recursive: true })
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const [{ filename }] = JSON.parse(await run('npm', args, root, MINUTE))
  return join(folder, filename)
}

/** Installs an app of this folder, with the packed package, into a folder that git ignores. */
export async function install(name, tarball) {
  const app = join(folder, name)
  mkdirSync(app, { recursive: true })
  cpSync(fileURLToPath(new URL(name, import.meta.url)), app, { recursive: true })
  // What npm has installed from the tarball of the last run would count as installed.
  rmSync(join(app, 'node_modules', 'unplugin-mock-api'), { recursive: true, force: true })
  rmSync(join(app, 'fixtures'), { recursive: true, force: true })
  const flags = ['--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--prefer-offline']
  await run('npm', ['install', ...flags, tarball], app, 10 * MINUTE)
  return app
}

/** The manifest of a package that an app has installed. */
export function manifestOf(app, packageName) {
  return JSON.parse(readFileSync(join(app, 'node_modules', packageName, 'package.json'), 'utf8'))
}
