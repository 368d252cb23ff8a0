/* A scaffold with the packed package in it: created, installed, and built before and after the plugin is in its config. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../hosts/serve.ts'
import { run, start, type RunningServer, type Terminal } from './command.ts'
import { blocksOf, readPage, sectionOf } from '../docs/pages.ts'
import { copyApp, edit, writeFiles, type Scaffold } from './scaffold.ts'

export interface Project extends Terminal {
  scaffold: Scaffold
  /** The text of the config before the plugin was in it, if the scaffold has one. */
  configBefore: string | undefined
  /** What `unplugin-mock-api init` printed, if it was used. */
  init: string | undefined
  /** The files of the production build by name, without the plugin and with it. */
  built: Record<'without' | 'with', Record<string, string>> | undefined
  remove: () => void
}

const quietly = ['--ignore-scripts', '--prefer-offline']
const installers = {
  npm: (packages: readonly string[]) => [
    'npm',
    'install',
    '--save-dev',
    '--no-audit',
    '--no-fund',
    ...quietly,
    ...packages,
  ],
  /** The last version of pnpm that runs on every supported version of Node. */
  pnpm: (packages: readonly string[]) => [
    ...['npm', 'exec', '--yes', '--prefer-offline', '--', 'pnpm@10', packages.length > 0 ? 'add' : 'install'],
    ...(packages.length > 0 ? ['--save-dev'] : []),
    ...['--store-dir', '../pnpm-store', ...quietly, ...packages],
  ],
}

export function installIn(
  terminal: Terminal,
  packages: readonly string[],
  manager: 'npm' | 'pnpm' = 'npm',
): Promise<string> {
  return run(installers[manager](packages), terminal)
}

/** Outside this repository, whose `node_modules` would stand in for what a project has not installed. */
export async function createProject(scaffold: Scaffold, tarball: string): Promise<Project> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'scaffold-')))
  const cwd = join(folder, 'app')
  const remove = () => rmSync(folder, { recursive: true, maxRetries: 3 })
  try {
    const bin = scaffold.node === undefined ? undefined : await installNode(scaffold.node, folder)
    const terminal = { cwd, bin }
    await scaffold.create(cwd)
    const install = (packages: readonly string[] = []) =>
      installIn(terminal, packages, scaffold.packageManager)
    const own = [tarball, ...(scaffold.types ?? [])]
    await install([...(scaffold.versions ?? []), ...(scaffold.build ? [] : own)])
    const without = await build(scaffold, terminal)
    if (scaffold.build) await install(own)
    const config = join(cwd, scaffold.config)
    const configBefore = existsSync(config) ? readFileSync(config, 'utf8') : undefined
    const init = await addPlugin(scaffold, terminal)
    const withPlugin = await build(scaffold, terminal)
    if (scaffold.served !== undefined) copyApp(scaffold.served, cwd)
    return {
      ...terminal,
      scaffold,
      configBefore,
      init,
      built: without && withPlugin && { without, with: withPlugin },
      remove,
    }
  } catch (error) {
    remove()
    throw error
  }
}

async function addPlugin({ byHand, docs }: Scaffold, terminal: Terminal): Promise<string | undefined> {
  if (docs !== undefined) {
    const [name, heading] = docs.split(/ (?=##)/) as [string, string?]
    const page = `docs/hosts/${name}`
    const blocks = blocksOf(page, heading === undefined ? readPage(page) : sectionOf(page, heading))
    const files = blocks.flatMap(({ file, text }) => (file === undefined ? [] : [[file, text] as const]))
    writeFiles(terminal.cwd, Object.fromEntries(files.reverse())) // of one file, the first block
    return undefined
  }
  if (byHand === undefined) return run(['npx', 'unplugin-mock-api', 'init', '--yes'], terminal)
  copyApp(byHand, terminal.cwd)
  return undefined
}

async function build(scaffold: Scaffold, terminal: Terminal): Promise<Record<string, string> | undefined> {
  if (!scaffold.build) return undefined
  const output = join(terminal.cwd, scaffold.build.output)
  await run(scaffold.build.command, terminal)
  const files = readdirSync(output, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).sort()
  const texts = paths.map(
    (path) =>
      [withoutBuildId(path.slice(output.length + 1)), withoutBuildId(readFileSync(path, 'latin1'))] as const,
  )
  for (const name of [scaffold.build.output, ...(scaffold.build.caches ?? [])])
    rmSync(join(terminal.cwd, name), { recursive: true, force: true })
  return Object.fromEntries(texts)
}

/** Nuxt gives each build the time and a random id, in names and texts. */
function withoutBuildId(text: string): string {
  return text.replace(/"timestamp":\d{13}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'of the build')
}

/** The folder of a Node of another version. There is one for Linux only. */
async function installNode(major: number, folder: string): Promise<string | undefined> {
  if (Number.parseInt(process.versions.node) >= major) return undefined
  writeFiles(folder, { 'node/package.json': '{}' })
  const cwd = join(folder, 'node')
  await run(installers.npm([`node-linux-${process.arch}@${major}`]), { cwd })
  return join(cwd, `node_modules/node-linux-${process.arch}/bin`)
}

export interface Served extends RunningServer {
  origin: string
}

/** Starts the dev server on a free port, and waits until it shows the project's own page. */
export async function serve({ scaffold, ...terminal }: Project): Promise<Served> {
  const port = await freePort()
  if (scaffold.addressed !== undefined)
    edit(join(terminal.cwd, scaffold.addressed), 'localhost:3000', `localhost:${port}`)
  return { ...start(scaffold.dev(port), terminal), origin: `http://localhost:${port}` }
}
