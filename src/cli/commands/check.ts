import type { Route } from '../../core/fixture/route.ts'
import { formatPlace } from '../../core/diagnostics/format.ts'
import { withGraphQLJs } from '../../core/graphql/with-graphql-js.ts'
import { resolveOptions, type ResolvedOptions } from '../../core/options/resolve-options.ts'
import type { Options } from '../../core/options/options.ts'
import { summarise } from '../../loader/fixture-state.ts'
import { readSchema } from '../../loader/graphql-schema.ts'
import { displayPath } from '../../files/paths.ts'
import { checkAgainst, type AgainstOptions } from '../check/check-against.ts'
import { checkOpenApi } from '../check/check-openapi.ts'
import { createLocate, type LocateInRoute } from '../../loader/locate.ts'
import { optionsOfConfig } from '../code/plugin-options.ts'
import { report, type ReportFormat } from '../check/report.ts'
import { findSadPaths, printSadPaths } from '../check/sad-paths.ts'
import { diagnoseCheck, type CheckFinding } from '../check/texts.ts'
import { readDocuments } from '../documents/read-documents.ts'
import { fileToRead, noFixtures, projectFolder, readFixtures } from '../places.ts'
import { UsageError, exitCodes, type ExitCode, type Terminal } from '../terminal.ts'
import { isError } from '../../core/diagnostics/severity.ts'

export interface CheckOptions extends AgainstOptions {
  root?: string
  fixtures?: string[]
  schema?: string[]
  openapi?: string
  sadPaths?: boolean
  maxWarnings?: number
  format: ReportFormat
}

export async function check(terminal: Terminal, given: CheckOptions): Promise<ExitCode> {
  const { options, isServed } = findOptions(terminal, given)
  // The schema would add a route of its own.
  const settings = options.graphql
  const state = await readFixtures({ ...options, graphql: { ...settings, schema: [] } }, settings)
  if (state.files.length === 0 && !state.diagnostics.some(isError)) {
    const reason = state.diagnostics
      .filter(({ code }) => code !== 'fixtures-not-found')
      .map((diagnostic) => ` ${[formatPlace(diagnostic), diagnostic.message].filter(Boolean).join(' ')}`)
      .join('')
    throw new UsageError(noFixtures(options, reason))
  }
  for (const name of ['update', 'save', 'writes'] as const)
    if (given[name] && given.against === undefined)
      throw new UsageError(`--${name} needs a backend: name it with --against.`)
  const own = state.routes.filter(({ error }) => !error)
  const locate = createLocate(options.root)
  const against =
    given.against === undefined ? undefined : await checkAgainst(terminal, own, options, given, locate)
  const [graphql, openapi] = await Promise.all([
    compareGraphQL(own, options, given, isServed, locate),
    compareOpenApi(own, options, given, locate),
  ])
  const compared = [graphql, openapi, ...(against ? [against] : [])]
  const checked = new Set(compared.flatMap((one) => [...one.checked]))
  const findings = await withoutInvalid(
    [...state.diagnostics, ...compared.flatMap((one) => one.findings)].map((finding) =>
      errorsHere.includes(finding.code) ? { ...finding, severity: 'error' } : finding,
    ),
    checked,
    locate,
  )
  const sadPaths = given.sadPaths ? await findSadPaths(state, options) : undefined
  if (sadPaths && given.format === 'text') printSadPaths(terminal, sadPaths)
  report(terminal, given.format, findings.toSorted(byPlace), summarise(state), {
    routes: state.table.routeCount,
    compared: checked.size,
    operations: graphql.operations,
    files: graphql.files,
    ...(against && { against: against.summary }),
    ...(sadPaths && { sadPaths }),
  })
  if (against?.refusal) throw against.refusal
  const warnings = findings.filter(({ severity }) => severity === 'warning').length
  const isFine = !findings.some(isError) && warnings <= (given.maxWarnings ?? Infinity)
  return isFine ? exitCodes.fine : exitCodes.failed
}

/** Warnings for the dev server that should not be merged. */
const errorsHere: readonly string[] = ['graphql-data-missing', 'schema-flawed']

function byPlace(a: CheckFinding, b: CheckFinding): number {
  if (a.file !== b.file) return (a.file ?? '') < (b.file ?? '') ? -1 : 1
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
}

/** Options that `check` uses, in the words of `optionsOfConfig`. */
const usedOptions = new Set([
  'root',
  'fixtures',
  'base',
  'graphql',
  'record',
  'all options',
  'the spread options',
])

function findOptions(terminal: Terminal, given: CheckOptions) {
  const folder = projectFolder(terminal, given.root)
  const { root, fixtures, base, graphql, record } = optionsOfConfig(
    terminal,
    folder,
    (name) => usedOptions.has(name) && !(name === 'fixtures' && given.fixtures),
  )
  const schema = given.schema ?? graphql?.schema
  const options: Options = {
    root,
    fixtures: given.fixtures ?? fixtures,
    base,
    graphql: { ...graphql, schema },
    record,
    watch: false,
    logLevel: 'silent',
  }
  return {
    options: resolveOptions(options, { root: folder, logger: console }),
    isServed: graphql?.schema !== undefined,
  }
}

const nothing = {
  findings: [] as CheckFinding[],
  checked: new Set<Route>(),
  operations: 0,
  files: 0,
}

async function compareGraphQL(
  routes: readonly Route[],
  { root, graphql }: ResolvedOptions,
  { documents, against }: CheckOptions,
  isServed: boolean,
  locate: LocateInRoute,
): Promise<typeof nothing> {
  if (graphql.schema.length === 0) {
    if (documents && against === undefined)
      throw new UsageError('--documents needs a schema: name it with --schema.')
    return nothing
  }
  const { buildSchema, checkGraphQL } = await withGraphQLJs(() => import('../check/check-graphql.ts'))
  const { sources, diagnostics } = await readSchema(root, graphql.schema)
  const { schema, diagnostics: errors } =
    diagnostics.length > 0 ? { schema: undefined, diagnostics } : buildSchema(sources)
  if (!schema) return { ...nothing, findings: errors }
  const read = await readDocuments(root, documents ?? [])
  if (documents && read.fileCount === 0)
    throw new UsageError(`No file matches --documents ${documents.join(' ')}.`)
  const { operations, fileCount: files } = read
  const own = routes.filter(({ path }) => graphql.paths.includes(path))
  const settings = { schema, isServed, isShaped: graphql.shape, locate }
  const { findings, checked } = await checkGraphQL({ routes: own, operations, ...settings })
  const unreadable = read.unreadable.map(({ place, reason }) =>
    diagnoseCheck('check-document-unreadable', place, { reason }),
  )
  return { findings: [...errors, ...unreadable, ...findings], checked, operations: operations.length, files }
}

async function compareOpenApi(
  routes: readonly Route[],
  { root, base, graphql }: ResolvedOptions,
  { openapi }: CheckOptions,
  locate: LocateInRoute,
): Promise<typeof nothing> {
  if (openapi === undefined) return nothing
  const path = fileToRead(root, openapi)
  const own = routes.filter(({ path }) => !graphql.paths.includes(path))
  return { ...nothing, ...(await checkOpenApi(own, path, displayPath(root, path), locate, base)) }
}

/** Leaves out findings of routes that are wrong on purpose, and adds one for each route that only says so. */
async function withoutInvalid(
  findings: readonly CheckFinding[],
  checked: ReadonlySet<Route>,
  locate: LocateInRoute,
) {
  const marked = [...checked].filter(({ isInvalid }) => isInvalid)
  const isOf = ({ code, file, pointer = '' }: CheckFinding, { source }: Route) =>
    code.startsWith('check-') && file === source.file && `${pointer}/`.startsWith(`${source.pointer ?? ''}/`)
  const isWrong = (route: Route) => findings.some((one) => one.severity !== 'note' && isOf(one, route))
  const wrong = new Set(marked.filter(isWrong))
  const kept = findings.filter((finding) => ![...wrong].some((route) => isOf(finding, route)))
  const valid = marked
    .filter((route) => !wrong.has(route))
    .map(async (route) => {
      const name = route.name ?? formatPlace(route.source)
      return diagnoseCheck('check-not-invalid', await locate(route, ['invalid']), { name })
    })
  return [...kept, ...(await Promise.all(valid))]
}
