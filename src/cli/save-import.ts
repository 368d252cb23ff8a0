import { existsSync, readFileSync, rmSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { formatDiagnostic, visible } from '../core/diagnostics/format.ts'
import type { Options } from '../core/options/options.ts'
import { resolveOptions } from '../core/options/resolve-options.ts'
import { plural } from '../core/values/describe-value.ts'
import { versionOf, writeFiles } from '../files/write-files.ts'
import { displayPath, isInside } from '../files/paths.ts'
import { summaryOf, type Imported } from '../import/imported.ts'
import { schemaLine } from '../loader/schema-line.ts'
import { isStarterTemplate, templateFiles } from '../loader/templates.ts'
import type { WrittenFile } from '../writer/exchange/exchange.ts'
import { listOmissions } from '../writer/omissions.ts'
import { dependsOn, readManifest } from './init/project.ts'
import { placeToWrite, projectFolder, readFixtures } from './places.ts'
import { exitCodes, UsageError, type ExitCode, type Terminal } from './terminal.ts'
import { isError } from '../core/diagnostics/severity.ts'

export interface SaveOptions {
  root?: string
  out: string
  force?: boolean
  dryRun?: boolean
}

/** Existing files are only replaced with `--force`, or after a yes. Then all are read as a dev server reads them. */
export async function saveImport(
  terminal: Terminal,
  imported: Imported,
  { out, root, force = false, dryRun = false }: SaveOptions,
): Promise<ExitCode> {
  const { files, omitted, graphqlPaths = [], maxPlaces, drafts } = imported
  const base = projectFolder(terminal, root)
  const folder = placeToWrite(base, out, 'folder')
  const isWithin = folder === base || isInside(base, folder)
  const body = files.find(({ routes }) => routes === 0)
  if (body && !isWithin)
    throw new UsageError(
      `A fixture file can't name ${displayPath(base, join(folder, body.path))}, which would be outside the project's root ${base}. Name a folder in it with --out, or one that holds both with --root.`,
    )
  const plan = files.map((file): PlannedFile => {
    const path = join(folder, file.path)
    const content = typeof file.content === 'string' ? `${schemaLine(path)}${file.content}` : file.content
    const before = existsSync(path) ? readFileSync(path) : undefined
    const state = before ? (before.equals(Buffer.from(content as string)) ? 'same' : 'different') : 'new'
    const expected = before ? versionOf(before) : ''
    return { ...file, content, path, name: displayPath(base, path), state, expected }
  })
  const existing = plan.filter(({ state }) => state === 'different')
  const mayReplace = force || (!dryRun && (await mayOverwrite(terminal, existing)))
  const toWrite = plan.filter(({ state }) => state === 'new' || (state === 'different' && mayReplace))
  if (dryRun)
    for (const { name, content } of plan)
      terminal.print(
        typeof content === 'string' ? `# ${name}\n${content}` : `# ${name}: ${content.length} bytes\n`,
      )
  else {
    // Bodies first: no fixture file names one that is missing.
    writeFiles(
      toWrite.toSorted((a, b) => Math.min(a.routes, 1) - Math.min(b.routes, 1)),
      { within: [isWithin ? base : folder] },
    )
    const fates = { same: 'unchanged', new: 'new', different: mayReplace ? 'replaced' : 'kept' }
    for (const { name, state, routes } of plan)
      if (routes > 0) terminal.print(`${name}  ${plural(routes, 'route')}, ${fates[state]}`)
    if (toWrite.length > 0 && (mayReplace || existing.length === 0)) terminal.print(summaryOf(imported))
    if (plan.length > 0) await removeTemplates(terminal, base, folder)
  }
  for (const line of listOmissions(omitted, maxPlaces)) terminal.note(visible(line))
  if (graphqlPaths.some((path) => path !== '/graphql')) {
    const option = `graphql: { path: ${JSON.stringify(graphqlPaths)} }`
    const note = `Set the option ${option} of the plugin, so that these routes answer GraphQL requests.`
    terminal.note(`\n${visible(note)}`)
  }
  if (drafts) terminal.note(`\nTo fill in, for requests without an answer:\n\n${visible(drafts)}`)
  if (plan.length === 0) terminal.note('Nothing was found that can be a route.')
  const isKept = !dryRun && !mayReplace && existing.length > 0
  if (isKept)
    terminal.note(
      `\n${plural(existing.length, 'file')} kept, since they have other content. --force replaces them.`,
    )
  const hasErrors =
    !dryRun && toWrite.length > 0 && (await reportProblems(terminal, base, folder, graphqlPaths))
  if (plan.length === 0 || isKept || hasErrors) return exitCodes.failed
  const usual = join(base, 'fixtures')
  const isUsual = folder === usual || isInside(usual, folder)
  const once = isUsual ? '' : `, once the option "fixtures" names ${displayPath(base, folder)}`
  const next = dependsOn(readManifest(base), 'unplugin-mock-api')
    ? `start the dev server, which answers from these files${once}.`
    : 'run "npx unplugin-mock-api init", which adds the plugin to your dev server.'
  if (!dryRun) terminal.note(`\nNext: ${next}`)
  return exitCodes.fine
}

/** The starter templates that `init` has written keep answering after an import, until they are deleted. */
async function removeTemplates(terminal: Terminal, base: string, folder: string): Promise<void> {
  const files = templateFiles()
    .map((file) => join(folder, basename(file)))
    .filter(isStarterTemplate)
  if (files.length === 0) return
  const names = files.map((file) => displayPath(base, file)).join(', ')
  if (terminal.isInteractive && (await terminal.confirm(`Delete the starter templates ${names}?`)))
    for (const file of files) rmSync(file)
  else terminal.note(`\nThe starter templates still answer, too. Delete them: ${names}`)
}

interface PlannedFile extends WrittenFile {
  name: string
  state: 'new' | 'same' | 'different'
  /** Version of the file that may be written over: one that is saved while the question is open stays. */
  expected: string
}

async function mayOverwrite(terminal: Terminal, existing: readonly PlannedFile[]): Promise<boolean> {
  if (existing.length === 0 || !terminal.isInteractive) return false
  return terminal.confirm(`Replace ${existing.map(({ name }) => name).join(', ')}?`)
}

/** Existing routes of the folder may be for the same requests. */
async function reportProblems(
  terminal: Terminal,
  root: string,
  folder: string,
  graphqlPaths: readonly string[],
): Promise<boolean> {
  const options: Options = {
    fixtures: [relative(root, folder) || '.'],
    watch: false,
    logLevel: 'silent',
    ...(graphqlPaths.length > 0 && { graphql: { path: [...graphqlPaths] } }),
  }
  const { diagnostics } = await readFixtures(resolveOptions(options, { root, logger: console }))
  for (const diagnostic of diagnostics) terminal.note(`\n${formatDiagnostic(diagnostic)}`)
  return diagnostics.some(isError)
}
