import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { formatDiagnostic, visible } from '../../core/diagnostics/format.ts'
import { resolveOptions } from '../../core/options/resolve-options.ts'
import { addTo } from '../../core/values/collections.ts'
import { plural } from '../../core/values/describe-value.ts'
import { createFixtureStore } from '../../loader/fixture-store.ts'
import { displayPath } from '../../loader/paths.ts'
import { slug } from '../../writer/endpoint-path.ts'
import type { WrittenFile } from '../../writer/exchange.ts'
import { compareText, listOmissions, Omissions, type Omission } from '../../writer/omissions.ts'
import type { WrittenAnswer } from '../../writer/write-answer.ts'
import { writeYaml } from '../../writer/write-yaml.ts'
import { placeToWrite, projectFolder } from '../places.ts'
import { exitCodes, type ExitCode, type Terminal } from '../terminal.ts'

/** Options that every importer has. */
export interface ImportOptions {
  root?: string
  /** The folder of the fixture files. */
  out: string
  force?: boolean
  dryRun?: boolean
}

/** What an importer has made. */
interface Imported {
  files: readonly WrittenFile[]
  omitted: readonly Omission[]
  /** What the developer should know or do. */
  notes?: readonly string[]
}

/** Everything of a route but its response. */
export interface Endpoint {
  method?: string
  path: string
  when?: object
  scenario?: string | readonly string[]
  paginate?: object
}

/**
 * What an importer has made of routes: fixture files, one for all paths with the same first segment, unless the importer names
 * it, and what was left out.
 */
export class ImportedRoutes implements Imported {
  readonly omissions = new Omissions()
  readonly #routes = new Map<string, object[]>()
  readonly #bodies: WrittenFile[] = []
  readonly #known = new Set<string>()

  /** @returns whether the route was added: of two for the same requests, the first answers */
  add(
    endpoint: Endpoint,
    { answer, file }: Pick<WrittenAnswer, 'answer' | 'file'>,
    name = nameFor(endpoint.path),
  ): boolean {
    const { method, path, when, scenario } = endpoint
    const key = JSON.stringify([method, path.replace(/:\w+/g, ':'), when, scenario])
    if (this.#known.has(key)) return false
    this.#known.add(key)
    const body = file && `${name}-${(this.#routes.get(name)?.length ?? 0) + 1}.${file.extension}`
    if (file) this.#bodies.push({ path: body!, content: file.bytes, routes: 0 })
    const response: object = { ...answer, ...(file && { file: body }) }
    addTo(this.#routes, name, Object.keys(response).length === 0 ? endpoint : { ...endpoint, response })
    return true
  }

  get omitted(): Omission[] {
    return this.omissions.list()
  }

  get files(): WrittenFile[] {
    const fixtures = [...this.#routes].map(([name, routes]) => ({
      path: `${name}.yaml`,
      content: writeYaml(routes),
      routes: routes.length,
    }))
    return [...fixtures, ...this.#bodies].sort((a, b) => compareText(a.path, b.path))
  }
}

function nameFor(path: string): string {
  const segment = path.split('/').find((part) => slug(part) !== '' && !/^[:*]/.test(part))
  return slug(segment ?? '') || 'index'
}

/**
 * Writes what an importer has made, or prints it. A file that is there already is only replaced with `--force`, or after a
 * yes. Then the files are read as a dev server reads them.
 */
export async function saveImport(
  terminal: Terminal,
  { files, omitted, notes = [] }: Imported,
  { out, root, force = false, dryRun = false }: ImportOptions,
  graphqlPaths?: readonly string[],
): Promise<ExitCode> {
  const base = projectFolder(terminal, root)
  const folder = placeToWrite(base, out, 'folder')
  const plan = files.map((file) => planFile(folder, file))
  if (dryRun) for (const { path, content } of plan) print(terminal, displayPath(base, path), content)
  const existing = plan.filter(({ state }) => state === 'different')
  const mayReplace = force || (!dryRun && (await mayOverwrite(terminal, base, existing)))
  const toWrite = plan.filter(({ state }) => state === 'new' || (state === 'different' && mayReplace))
  if (!dryRun) for (const file of toWrite) write(file)
  for (const { path, state, routes } of plan) {
    if (dryRun || routes === 0) continue
    const note = state === 'same' ? 'unchanged' : state === 'new' ? 'new' : mayReplace ? 'replaced' : 'kept'
    terminal.print(`${displayPath(base, path)}  ${plural(routes, 'route')}, ${note}`)
  }
  for (const line of listOmissions(omitted)) terminal.note(visible(line))
  for (const note of notes) terminal.note(`\n${visible(note)}`)
  if (plan.length === 0) terminal.note('Nothing was found that can be a route.')
  const isKept = existing.length > 0 && !mayReplace
  if (isKept && !dryRun)
    terminal.note(
      `\n${plural(existing.length, 'file')} kept, since they have other content. --force replaces them.`,
    )
  const hasErrors =
    !dryRun && toWrite.length > 0 && (await reportProblems(terminal, base, folder, graphqlPaths))
  return plan.length === 0 || (isKept && !dryRun) || hasErrors ? exitCodes.failed : exitCodes.fine
}

interface PlannedFile {
  path: string
  content: string | Uint8Array
  routes: number
  state: 'new' | 'same' | 'different'
}

function planFile(folder: string, { path: name, content, routes }: WrittenFile): PlannedFile {
  const path = join(folder, name)
  if (!existsSync(path)) return { path, content, routes, state: 'new' }
  const isSame = readFileSync(path).equals(Buffer.from(content as string))
  return { path, content, routes, state: isSame ? 'same' : 'different' }
}

function print(terminal: Terminal, name: string, content: string | Uint8Array): void {
  terminal.print(
    typeof content === 'string' ? `# ${name}\n${content}` : `# ${name}: ${content.length} bytes\n`,
  )
}

async function mayOverwrite(
  terminal: Terminal,
  root: string,
  existing: readonly PlannedFile[],
): Promise<boolean> {
  if (existing.length === 0 || !terminal.isInteractive) return false
  const names = existing.map(({ path }) => displayPath(root, path)).join(', ')
  return terminal.confirm(`Replace ${names}?`)
}

function write({ path, content }: PlannedFile): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

/** The routes are checked together with those that were in the folder before, which may be for the same requests. */
async function reportProblems(
  terminal: Terminal,
  root: string,
  folder: string,
  graphqlPaths: readonly string[] | undefined,
): Promise<boolean> {
  const options = {
    fixtures: [relative(root, folder) || '.'],
    watch: false,
    logLevel: 'silent' as const,
    ...(graphqlPaths && graphqlPaths.length > 0 && { graphql: { path: [...graphqlPaths] } }),
  }
  const store = createFixtureStore(resolveOptions(options, { root, logger: console }))
  await store.ready
  await store.close()
  const { diagnostics } = store.current!
  for (const diagnostic of diagnostics) terminal.note(`\n${formatDiagnostic(diagnostic)}`)
  return diagnostics.some(({ severity }) => severity === 'error')
}
