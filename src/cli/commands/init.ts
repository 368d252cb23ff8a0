import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { findFixtures } from '../../loader/find/find-fixtures.ts'
import { readConfig } from '../../loader/module/read-config.ts'
import { configNames, readConfigs } from '../../loader/module/tsconfig-paths.ts'
import { packageFolder } from '../../files/package-folder.ts'
import { displayPath, toPosix } from '../../files/paths.ts'
import { packagesOf, schemaFrom } from '../../loader/schema-line.ts'
import { templateFiles } from '../../loader/templates.ts'
import { optionsOfConfig } from '../code/plugin-options.ts'
import { changeOf, writeChanges, type FileChange } from '../../files/changes.ts'
import { describeFileChanges } from '../changes.ts'
import { agentChanges } from '../init/agents.ts'
import { findHost, planHost, planServer, type InitPlan } from '../init/hosts.ts'
import { editConfig, editTsconfig } from '../init/edit-config.ts'
import {
  bundlerOf,
  callOf,
  dependsOn,
  findConfigs,
  installCommand,
  newViteConfig,
  readManifest,
  type KnownBundler,
  type FoundConfig,
} from '../init/project.ts'
import { projectFolder } from '../places.ts'
import { UsageError, exitCodes, type ExitCode, type Terminal } from '../terminal.ts'

export interface InitOptions {
  root?: string
  config?: string
  yes?: boolean
  agents?: boolean
  example?: string
}

const packageName = 'unplugin-mock-api'

export async function init(terminal: Terminal, options: InitOptions): Promise<ExitCode> {
  const root = projectFolder(terminal, options.root)
  const manifest = readManifest(root)
  if (!manifest)
    throw new UsageError(
      `There is no package.json in ${root}. Run it in the folder of a project, or name one with --root.`,
    )
  const plan = planConfig(root, options.config)
  const { fixtures = 'fixtures' } = optionsOfConfig(terminal, root, () => false)
  const served = plan.root === false ? undefined : resolve(root, plan.root ?? '.')
  const importer = importers.find(({ name }) => dependsOn(manifest, name))
  const changes = [...plan.changes]
  if (served !== undefined) {
    if (!importer) changes.push(...starterFiles(root, served, [fixtures].flat()))
    if (fixtures === 'fixtures') changes.push(...withFixtures(root, join(served, fixtures)))
  }
  if (options.example !== undefined) {
    const folder = [fixtures].flat().find((entry) => !/[*!]|\.\w+$/.test(entry)) ?? 'fixtures'
    changes.push(...filesOfExample(root, join(served ?? root, folder), options.example))
  }
  show(changes, terminal)
  for (const line of plan.notes) terminal.print(`\n${line}`)
  if (changes.length > 0 && !(await mayWrite(terminal, options, '\nWrite this?'))) return exitCodes.failed
  writeChanges(changes, [root, served ?? root])
  const names = changes.map(({ name }) => name).join(', ')
  if (changes.length > 0) terminal.print(`\nWritten: ${names}`)
  else if (plan.isDone) terminal.print('Nothing to change: the plugin and the fixtures are there.')
  // Files of agents are written for those who want them: they were asked, or say so.
  const wantsAgents = options.agents ?? (terminal.isInteractive && !options.yes)
  const forAgents = wantsAgents ? agentChanges(root) : []
  show(forAgents, terminal)
  if (forAgents.length > 0 && (await mayWrite(terminal, options, '\nLet coding agents ask the dev server?')))
    writeChanges(forAgents, [root])
  if (importer)
    terminal.print(`Import the mocks of ${importer.name}: npx ${packageName} import ${importer.command}`)
  if (!dependsOn(manifest, packageName))
    terminal.print(`Install the package: ${installCommand(root, packageName)}`)
  const alias = plan.isDone && changes.length > 0 ? aliasOf(root) : undefined
  if (alias !== undefined)
    terminal.print(
      `Fixture files can be TypeScript, and import what the application does: fixtures/users.ts, from "${alias}…"`,
    )
  const { start = plan.isDone ? 'start the dev server' : undefined, origin } = plan
  const isSignIn = options.example === 'sign-in'
  const path = isSignIn ? '/oidc/.well-known/openid-configuration' : '/items'
  const what = isSignIn ? ': your client needs the issuer that it names, and any client id' : ''
  const ask = origin === undefined ? `open ${path} on it` : `ask it: curl ${origin}${path}`
  if (start !== undefined && (changes.length > 0 || !plan.isDone))
    terminal.print(`Then ${start}, and ${ask}${what}. The inspector is at /__mock-api/ there.`)
  return plan.isDone ? exitCodes.fine : exitCodes.failed
}

/** The first name that the project's modules have for a folder of their own, such as `@/`. */
function aliasOf(root: string): string | undefined {
  const patterns = configNames.flatMap((name) =>
    readConfigs(join(root, name)).flatMap(({ patterns }) => patterns),
  )
  const names = readConfig(root).aliases.flatMap(({ find }) => (typeof find === 'string' ? `${find}/*` : []))
  return [...names, ...patterns].find((name) => /^[^*]+\/\*$/.test(name))?.slice(0, -1)
}

function show(changes: readonly FileChange[], terminal: Terminal): void {
  if (changes.length > 0) terminal.print(describeFileChanges(changes, terminal.style))
}

async function mayWrite(terminal: Terminal, { yes = false }: InitOptions, question: string) {
  if (yes) return true
  if (!terminal.isInteractive) terminal.note('\nNothing was written. Run it again with --yes to write this.')
  else if (await terminal.confirm(question)) return true
  else terminal.note('Nothing was written.')
  return false
}

/** A project with mocks of another tool gets no starter files, since they would mix with the imported ones. */
const importers = [
  { name: 'msw', command: 'msw <files…>' },
  { name: 'json-server', command: 'json-server db.json' },
  { name: 'vite-plugin-mock-dev-server', command: 'mock-dev-server mock/*.mock.ts' },
]

/** The TypeScript config of the application, so that the editor checks fixtures too. */
function withFixtures(project: string, folder: string): FileChange[] {
  const name = ['tsconfig.app.json', 'tsconfig.json'].find((name) => existsSync(join(project, name)))
  if (name === undefined) return []
  return changeOf(project, name, (before = '') => editTsconfig(before, toPosix(relative(project, folder))))
}

/** @param root the folder that the bundler serves from, which may differ from that of package.json */
function starterFiles(project: string, root: string, fixtures: string[]): FileChange[] {
  if (fixtures.join() !== 'fixtures' || findFixtures({ root, fixtures }).files.length > 0) return []
  return copies(project, templateFiles(), join(root, 'fixtures'))
}

/** The fixture files of an example; those that are there stay. */
function filesOfExample(project: string, folder: string, name: string): FileChange[] {
  const from = join(packageFolder(), 'examples', name, 'fixtures', name)
  const files = readdirSync(from).map((file) => join(from, file))
  return copies(project, files, join(folder, name)).filter(({ path }) => !existsSync(path))
}

function copies(project: string, files: readonly string[], folder: string): FileChange[] {
  // The first line of YAML tells editors where the schema is.
  const schema = schemaFrom(folder, packagesOf(project) ?? project)
  return files.map((file) => {
    const path = join(folder, basename(file))
    const after = readFileSync(file, 'utf8').replace(/(?<=\$schema=)\S+/, schema)
    return { path, name: displayPath(project, path), before: undefined, after }
  })
}

function planConfig(root: string, given: string | undefined): InitPlan {
  const found = given === undefined ? findConfigs(root) : [namedConfig(root, given)]
  const host = found.length === 0 ? findHost(root) : undefined
  if (host) return planHost(root, host)
  // Vite works without a config.
  if (found.length === 0 && dependsOn(readManifest(root), 'vite')) found.push(newViteConfig(root))
  const [config, ...others] = found
  const leave = (note: string, root?: InitPlan['root']) => ({
    changes: [],
    isDone: false,
    notes: [note],
    root,
  })
  if (!config) return planServer(root)
  if (others.length > 0) {
    const names = found.map(({ name }) => name).join(', ')
    return leave(`There are several configs: ${names}. Choose one with --config.`)
  }
  const { bundler, name } = config
  const path = join(root, name)
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  const edited = before === undefined ? { text: newConfig(bundler) } : editConfig(before, name, bundler)
  if ('reason' in edited)
    return leave(linesFor(bundler, `${name} is left alone: ${edited.reason}.`), edited.root)
  const changes = 'text' in edited ? [{ path, name, before, after: edited.text }] : []
  return { changes, isDone: true, notes: [], root: edited.root }
}

function namedConfig(root: string, name: string): FoundConfig {
  if (!existsSync(join(root, name))) throw new UsageError(`There is no config ${name} in ${root}.`)
  const bundler = bundlerOf(basename(name))
  if (!bundler)
    throw new UsageError(
      `The bundler of ${name} is unknown: its name begins with none that is known, such as vite.`,
    )
  return { bundler, name }
}

const newConfig = ({ entry }: KnownBundler) => `import mockApi from '${packageName}/${entry}'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [mockApi()],
})
`

function linesFor(bundler: KnownBundler, reason: string): string {
  const { entry, path } = bundler
  const plugins = `plugins: [${callOf(bundler, 'mockApi')}]`
  return `${reason} Add these lines to it:

  import mockApi from '${packageName}/${entry}'

  ${path.reduceRight((inner, key) => `${key}: { ${inner} }`, plugins)}`
}
