/* The package as it would be published, and the apps that install it. */
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './process.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
// Outside this repository, whose node_modules would stand in for what an app has not installed.
const folder = join(realpathSync(tmpdir()), 'unplugin-mock-api-frameworks')
const MINUTE = 60_000

/** Packs what `npm run build` has made. Gives back the tarball. */
export async function pack() {
  if (!existsSync(join(root, 'dist', 'vite.d.ts'))) throw new Error('There is no dist. Run `npm run build`.')
  mkdirSync(folder, { recursive: true })
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const [{ filename }] = JSON.parse(await run('npm', args, root, MINUTE))
  return join(folder, filename)
}

/** Installs an app of this folder, with the packed package, into a folder that the next run uses again. */
export async function install(name, tarball) {
  const app = join(folder, name)
  mkdirSync(app, { recursive: true })
  // The packages of the last run stay, but not ours: that would count as installed.
  const old = readdirSync(app).filter((entry) => entry !== 'node_modules')
  for (const entry of [...old, 'node_modules/unplugin-mock-api']) {
    rmSync(join(app, entry), { recursive: true, force: true })
  }
  cpSync(fileURLToPath(new URL(name, import.meta.url)), app, { recursive: true })
  const flags = ['--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--prefer-offline']
  await run('npm', ['install', ...flags, tarball], app, 10 * MINUTE)
  return app
}

/** The manifest of a package that an app has installed. */
export function manifestOf(app, packageName) {
  return JSON.parse(readFileSync(join(app, 'node_modules', packageName, 'package.json'), 'utf8'))
}
