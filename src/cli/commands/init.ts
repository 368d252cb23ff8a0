import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { displayPath } from '../../loader/paths.ts'
import { editConfig } from '../init/edit-config.ts'
import {
  bundlerOf,
  dependsOn,
  findConfigs,
  installCommand,
  newViteConfig,
  readManifest,
  type Bundler,
  type FoundConfig,
} from '../init/project.ts'
import { showChange, starterFiles, type Change } from '../init/changes.ts'
import { projectFolder } from '../places.ts'
import { UsageError, exitCodes, type ExitCode, type Terminal } from '../terminal.ts'

export interface InitOptions {
  root?: string
  config?: string
  yes?: boolean
}

const packageName = 'unplugin-mock-api'

/** Adds the plugin to the config of a project, and the starter templates to its folder `fixtures`. */
export async function init(terminal: Terminal, options: InitOptions): Promise<ExitCode> {
  const root = projectFolder(terminal, options.root)
  const manifest = readManifest(root)
  if (!manifest)
    throw new UsageError(
      `There is no package.json in ${root}. Run it in the folder of a project, or name one with --root.`,
    )
  const plan = planConfig(root, options.config)
  const files = plan.root === false ? [] : starterFiles(root, resolve(root, plan.root ?? '.'))
  const changes: Change[] = [
    ...plan.changes,
    ...files.map(({ path, text }) => ({
      path,
      name: displayPath(root, path),
      before: undefined,
      after: text,
    })),
  ]
  if (changes.length > 0) terminal.print(changes.map((change) => showChange(change, terminal)).join('\n\n'))
  for (const line of plan.notes) terminal.print(`\n${line}`)
  const isWritten = changes.length === 0 || (await mayWrite(terminal, options))
  if (!isWritten) return exitCodes.failed
  for (const { path, after } of changes) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, after)
  }
  const names = changes.map(({ name }) => name).join(', ')
  terminal.print(
    changes.length > 0 ? `\nWritten: ${names}` : 'Nothing to change: the plugin and the fixtures are there.',
  )
  if (!dependsOn(manifest, packageName))
    terminal.print(`Install the package: ${installCommand(root, packageName)}`)
  if (plan.isDone && changes.length > 0)
    terminal.print('Then start the dev server, and open /items or /__mock-api/ on it.')
  return plan.isDone ? exitCodes.fine : exitCodes.failed
}

async function mayWrite(terminal: Terminal, { yes = false }: InitOptions): Promise<boolean> {
  if (yes) return true
  if (!terminal.isInteractive) terminal.note('\nNothing was written. Run it again with --yes to write this.')
  else if (await terminal.confirm('\nWrite this?')) return true
  else terminal.note('Nothing was written.')
  return false
}

/** What happens to the config. */
interface Plan {
  changes: Change[]
  /** Whether the plugin is in the config afterwards. */
  isDone: boolean
  notes: string[]
  /** See `EditedConfig`. */
  root?: string | false | undefined
}

function planConfig(root: string, given: string | undefined): Plan {
  const found = given === undefined ? findConfigs(root) : [namedConfig(root, given)]
  const [config, ...others] = found.length > 0 ? found : newConfigs(root)
  if (!config)
    return { changes: [], isDone: false, notes: [`No config of a bundler is here. ${middlewareLines}`] }
  if (others.length > 0) {
    const names = found.map(({ name }) => name)
    const reason = `There are several configs: ${names.join(', ')}. Choose one with --config.`
    return { changes: [], isDone: false, notes: [reason] }
  }
  const { bundler, name } = config
  const path = join(root, name)
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  const edited = before === undefined ? { text: newConfig(bundler) } : editConfig(before, name, bundler)
  if ('isDone' in edited) return { changes: [], isDone: true, notes: [], root: edited.root }
  if ('reason' in edited)
    return {
      changes: [],
      isDone: false,
      notes: [linesFor(bundler, `${name} is left alone: ${edited.reason}.`)],
      root: edited.root,
    }
  return { changes: [{ path, name, before, after: edited.text }], isDone: true, notes: [], root: edited.root }
}

function namedConfig(root: string, name: string): FoundConfig {
  const bundler = bundlerOf(basename(name))
  if (!bundler)
    throw new UsageError(
      `The bundler of ${name} is unknown: its name begins with none that is known, such as vite.`,
    )
  if (!existsSync(join(root, name))) throw new UsageError(`There is no config ${name} in ${root}.`)
  return { bundler, name }
}

/** Vite works without a config. */
function newConfigs(root: string): FoundConfig[] {
  return dependsOn(readManifest(root), 'vite') ? [newViteConfig(root)] : []
}

const newConfig = ({ entry }: Bundler) => `import mockApi from '${packageName}/${entry}'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [mockApi()],
})
`

function linesFor({ entry, path, call }: Bundler, reason: string): string {
  const plugins = `plugins: [${call('mockApi')}]`
  return `${reason} Add these lines to it:

  import mockApi from '${packageName}/${entry}'

  ${path.reduceRight((inner, key) => `${key}: { ${inner} }`, plugins)}`
}

const middlewareLines = `A server of your own gets the middleware:

  import { createMiddleware } from '${packageName}/connect'

  app.use(createMiddleware())`
