import path from 'node:path'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { diagnoseSetup } from '../core/diagnostics/setup-texts.ts'
import type { FetchOptions, ResolvedOptions } from '../core/options/options.ts'
import { resolveOptions } from '../core/options/resolve-options.ts'
import { compileRoutes } from '../core/table/compile-routes.ts'
import { isPlainObject } from '../core/values/values.ts'
import { findFixtures, fixturePlaces } from '../loader/find-fixtures.ts'
import { noticeFiles } from '../loader/notice-files.ts'
import { readSchema } from '../loader/graphql-schema.ts'
import { templateFiles, templatesEntry } from '../loader/templates.ts'
import {
  findNodeImport,
  readFixture,
  readFixtures,
  writeCodeRoutes,
  writeDataRoutes,
  type BundledFixture,
} from './fixtures.ts'
import { packageFolder } from './package-files.ts'
import { Code, FileWriter, writePath, writeValue, type WriteAssetUrl } from './source-code.ts'

/** Where a routes module runs, and what the bundler that takes it can do. */
export interface ModuleTarget {
  /** Whether modules of Node can be imported there. If not, a fixture file that needs one is an error. */
  hasNode: boolean
  /** How the bundler emits a large body file. Without it, all of them are part of the module. */
  assetUrl?: WriteAssetUrl | undefined
  /** Options of the handler that the plugin does not have. By default every host name is accepted: it is no server. */
  origins?: Pick<FetchOptions, 'cors' | 'allowedHosts'> | undefined
}

/** The fixture files as one ES module. */
export interface RoutesModule {
  /**
   * The source. It exports `routes`, a list as `createFetchHandler` takes it, `fetchOptions`, which returns its options, and
   * `handler`, which is made with its first request. It imports files by their absolute paths: the fixture files that are code, and parts of this package. Nothing in it
   * has a side effect. Invalid if a diagnostic is an error.
   */
  code: string
  diagnostics: Diagnostic[]
  /** Absolute paths of the files that it was made of, some of which may not exist. */
  files: string[]
  /** Absolute paths of the folders and files where other fixture and schema files may appear. */
  places: string[]
}

/** What the module may call of `runtime.ts`. */
const helpers = [
  'assetFile',
  'asyncCodeRoutes',
  'binaryFile',
  'codeRoutes',
  'dataRoutes',
  'disabledHandler',
  'lazyHandler',
  'schemasOf',
  'textFile',
  'withFile',
  'withTemplates',
]

/**
 * Writes a module that has the routes of all fixture files, and a handler with the options of the plugin. Never throws for what
 * the files hold.
 */
export async function writeRoutesModule(
  options: ResolvedOptions,
  target: ModuleTarget,
): Promise<RoutesModule> {
  const { root, graphql } = options
  const ownPlaces = options.fixtures.filter((place) => place !== templatesEntry)
  const found = options.enabled
    ? findFixtures({ root, fixtures: ownPlaces })
    : { files: [], misnamed: [], links: new Map() }
  const read = await readFixtures(root, found)
  const fixtures = read.filter(({ isFixture }) => isFixture)
  const schema = await readSchemas(options, fixtures)
  const files = new FileWriter(target.assetUrl)
  const written: WrittenFixture[] = []
  for (const fixture of fixtures)
    written.push(await writeFixture(root, written.length, fixture, files, target.hasNode))
  const templates: BundledFixture[] = []
  if (options.enabled && hasTemplates(options, fixtures))
    for (const path of templateFiles()) templates.push(await readFixture(root, path))
  const diagnostics = [
    ...read.flatMap((one) => one.diagnostics),
    ...written.flatMap((one) => one.diagnostics),
    ...schema.diagnostics,
  ]
  if (options.enabled) {
    const left = read.filter(hasOtherContent).map(({ path }) => path)
    diagnostics.unshift(
      ...noticeFiles({ ...options, fixtures: ownPlaces }, found.files, left, found.misnamed),
    )
  }
  if (!diagnostics.some(({ severity }) => severity === 'error')) {
    const known = fixtures.flatMap(({ data }) => data?.routes ?? [])
    diagnostics.push(...compileRoutes(known, options).diagnostics)
  }

  const fetchOptions = {
    ...(options.enabled ? fetchOptionsOf(options, schema.texts) : { enabled: false }),
    ...(target.origins ?? { allowedHosts: true }),
  }
  const handlerOptions = writeOptions(
    fetchOptions,
    written.flatMap(({ schemaModule }) => schemaModule ?? []),
  )
  if (typeof handlerOptions !== 'string') diagnostics.push(handlerOptions)

  let routes = join(written.map(({ name }) => name))
  if (templates.length > 0) {
    const lists = join(templates.map((template) => writeDataRoutes(template, files)))
    routes = `/*#__PURE__*/ withTemplates(${routes}, ${lists}, ${writeValue(graphql.paths, '')})`
  }
  const body = [
    ...written.flatMap(({ statement }) => statement ?? []),
    ...files.statements,
    ...written.map(({ name, declaration }) => `const ${name} = ${declaration}`),
    `export const routes = ${routes}`,
    `export const fetchOptions = () => (${handlerOptions as string})`,
    options.enabled
      ? `export const handler = /*#__PURE__*/ lazyHandler(() => createFetchHandler(routes, fetchOptions()))`
      : `export const handler = /*#__PURE__*/ disabledHandler()`,
  ].join('\n')
  const dist = path.join(packageFolder(), 'dist')
  const used = helpers.filter((helper) => body.includes(`${helper}(`))
  const code = [
    ...(options.enabled
      ? [`import { createFetchHandler } from ${writePath(path.join(dist, 'fetch.js'))}`]
      : []),
    `import { ${used.join(', ')} } from ${writePath(path.join(dist, 'routes-runtime.js'))}`,
    body,
  ].join('\n')
  const sources = [...read.flatMap(({ path, dependencies }) => [path, ...dependencies]), ...schema.files]
  return {
    code: `${code}\n`,
    diagnostics,
    files: [...new Set([...sources, ...written.flatMap((one) => one.files)])],
    places: fixturePlaces({ root, fixtures: [...ownPlaces, ...graphql.schema] }).watched,
  }
}

/** Whether a file has something else than routes in it. An empty one has a warning of its own. */
function hasOtherContent({ isFixture, diagnostics }: BundledFixture): boolean {
  return !isFixture && diagnostics.length === 0
}

/** The source of several lists as one. */
function join(lists: readonly string[]): string {
  return lists.length === 1 ? lists[0]! : `/*#__PURE__*/ [].concat(${lists.join(', ')})`
}

interface WrittenFixture {
  /** The variable that holds its routes. */
  name: string
  /** The source of its value. */
  declaration: string
  /** The import that it needs. */
  statement?: string
  /** The variable that holds the module, if it may export a part of the GraphQL schema. */
  schemaModule?: string | undefined
  diagnostics: Diagnostic[]
  /** Absolute paths of the files that it names. */
  files: string[]
}

async function writeFixture(
  root: string,
  index: number,
  fixture: BundledFixture,
  files: FileWriter,
  hasNode: boolean,
): Promise<WrittenFixture> {
  const name = `routes${index}`
  if (fixture.data) return { name, declaration: writeDataRoutes(fixture, files), diagnostics: [], files: [] }
  const { path, file, text = '' } = fixture
  const module = `module${index}`
  const chain = hasNode ? undefined : findNodeImport(path)
  return {
    name,
    ...(await writeCodeRoutes(root, module, fixture, files)),
    statement: `import * as ${module} from ${writePath(path)}`,
    schemaModule: namesSchema(text) ? module : undefined,
    diagnostics: chain ? [diagnoseSetup('fixture-needs-node', { file }, { chain: [file, ...chain] })] : [],
  }
}

/** The starter templates answer while the project has no routes of its own, or in addition to them if the option says so. */
function hasTemplates({ fixtures: places }: ResolvedOptions, fixtures: readonly BundledFixture[]): boolean {
  return places.includes(templatesEntry) || fixtures.length === 0
}

function namesSchema(text: string): boolean {
  return /\bschema\b/.test(text)
}

/** The texts of the option `graphql.schema`, checked unless a fixture file in code may add to them. */
async function readSchemas({ root, enabled, graphql }: ResolvedOptions, fixtures: readonly BundledFixture[]) {
  if (!enabled || graphql.schema.length === 0) return { texts: [], diagnostics: [], files: [] }
  const { sources, diagnostics, files } = await readSchema(root, graphql.schema)
  const isComplete = !fixtures.some(({ text }) => text !== undefined && namesSchema(text))
  if (diagnostics.length === 0 && isComplete) {
    const { createChecker } = await import('../core/graphql-schema/create-checker.ts')
    diagnostics.push(...createChecker(sources, graphql).diagnostics)
  }
  return { texts: sources.map(({ text }) => text), diagnostics, files }
}

/**
 * The options of `createFetchHandler` that the plugin's options give, without those that have their defaults.
 *
 * @param schema the schema's text, one entry for each file
 */
function fetchOptionsOf(options: ResolvedOptions, schema: readonly string[]): FetchOptions {
  const defaults = resolveOptions({}, { root: '', logger: console })
  const { navigation, navigationGiven, scenario } = options
  const { paths } = options.graphql
  const graphql = {
    ...(String(paths) !== String(defaults.graphql.paths) && { path: [...paths] }),
    ...changed(settingsOf(options.graphql), defaults.graphql),
    ...(schema.length > 0 && { schema: [...schema] }),
  }
  return {
    ...changed(valuesOf(options), defaults),
    ...(navigationGiven && { navigation }),
    ...(scenario.length > 0 && { scenario: [...scenario] }),
    ...(Object.keys(graphql).length > 0 && { graphql }),
  }
}

function valuesOf(options: ResolvedOptions) {
  const { base, unmatched, bodyLimit, functionTimeout, routeHeader, logLevel } = options
  return { base, unmatched, bodyLimit, functionTimeout, routeHeader, logLevel }
}

function settingsOf(graphql: ResolvedOptions['graphql']) {
  const { strict, shape, scalars, maxTokens, maxDepth, maxCost } = graphql
  return { strict, shape, scalars, maxTokens, maxDepth, maxCost }
}

function changed<T extends object>(values: T, defaults: object): Partial<T> {
  const entries = Object.entries(values).filter(
    ([key, value]) => !isSame(value, (defaults as Record<string, unknown>)[key]),
  )
  return Object.fromEntries(entries) as Partial<T>
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (isPlainObject(a) && Object.keys(a).length === 0)
}

/**
 * The source of the options.
 *
 * @param modules names of the modules that may export parts of the schema
 */
function writeOptions(options: FetchOptions, modules: readonly string[]): string | Diagnostic {
  const { graphql } = options
  try {
    if (modules.length === 0) return writeValue(options, '')
    const texts = writeValue(graphql?.schema ?? [], '')
    const schema = new Code(`schemasOf(${[texts, ...modules].join(', ')})`)
    return writeValue({ ...options, graphql: { ...graphql, schema } }, '')
  } catch (error) {
    const [, option = '', what = ''] = /^\.(.*) is (.*)$/.exec((error as Error).message) ?? []
    return diagnoseSetup('option-not-data', {}, { option, what })
  }
}
