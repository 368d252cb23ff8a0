import path from 'node:path'
import { withGraphQLJs } from '../core/graphql/with-graphql-js.ts'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { diagnoseSetup } from '../core/diagnostics/setup-texts.ts'
import type { FetchOptions } from '../core/options/options.ts'
import type { ResolvedOptions } from '../core/options/resolve-options.ts'
import { compileRoutes } from '../core/table/compile-routes.ts'
import { findFixtures, fixturePlaces } from '../loader/find/find-fixtures.ts'
import { noticeFiles } from '../loader/find/notice-files.ts'
import { readSchema } from '../loader/graphql-schema.ts'
import { templateFiles, templatesEntry } from '../loader/templates.ts'
import {
  findNodeImport,
  readBundledFixture,
  readForBundle,
  writeCodeRoutes,
  writeDataRoutes,
  type BundledFixture,
} from './fixtures.ts'
import { RawCode, FileWriter, writePath, writeValue, type WriteAssetUrl } from './source-code.ts'
import { isError } from '../core/diagnostics/severity.ts'
import { packageFolder } from '../files/package-folder.ts'

export interface ModuleTarget {
  /** Whether the module runs in Node. Where it does not, a fixture file that needs Node is an error. */
  hasNode: boolean
  /** Emits a large body file; without it, all are part of the module. */
  assetUrl?: WriteAssetUrl | undefined
  /** Origin policy that the plugin's options lack. By default every host name is accepted: a module is no server. */
  origins?: Pick<FetchOptions, 'cors' | 'allowedHosts'> | undefined
  /** Uses `routes`, `fetchOptions` and `handler`; by default they are exported. */
  main?: string | undefined
}

export interface RoutesModule {
  /** Has no side effects, and imports fixtures and parts of this package by absolute path. Invalid after an error. */
  code: string
  diagnostics: Diagnostic[]
  /** Absolute paths of its sources, some of which may not exist. */
  files: string[]
  /** Absolute paths where other fixture and schema files may appear. */
  places: string[]
}

/** Never throws for what the files hold. */
export async function writeRoutesModule(
  options: ResolvedOptions,
  target: ModuleTarget,
): Promise<RoutesModule> {
  const { root, enabled, graphql } = options
  const { hasNode, assetUrl, origins = { allowedHosts: true }, main = exportAll } = target
  if (!enabled) {
    const settings = writeValue({ enabled, ...origins }, '')
    const lines = ['const routes = []', `const fetchOptions = () => (${settings})`, disabledHandler, main]
    return { code: lines.join('\n'), diagnostics: [], files: [], places: [] }
  }
  const ownPlaces = options.fixtures.filter((place) => place !== templatesEntry)
  const found = findFixtures({ root, fixtures: ownPlaces })
  const project = { ...options, fixtures: ownPlaces }
  const read = await readForBundle(project, found)
  const fixtures = read.filter(({ isFixture }) => isFixture)
  const schema = await readSchemas(options, fixtures)
  const writer = new FileWriter(assetUrl)
  const written = await writeFixtures(project, fixtures, writer, hasNode)
  // An empty file has a warning of its own.
  const withoutRoutes = read.filter((one) => !one.isFixture && one.diagnostics.length === 0)
  const diagnostics = [
    ...noticeFiles(
      project,
      found.files,
      withoutRoutes.map(({ path }) => path),
      found.misnamed,
    ),
    ...read.flatMap((one) => one.diagnostics),
    ...written.diagnostics,
    ...schema.diagnostics,
  ]
  if (!diagnostics.some(isError)) {
    const known = fixtures.flatMap(({ routes }) => routes ?? [])
    diagnostics.push(...compileRoutes(known, options).diagnostics)
  }
  const settings = writeOptions(
    { ...fetchOptionsOf(options, schema.texts), ...origins },
    written.schemaModules,
  )
  if (typeof settings !== 'string') diagnostics.push(settings)

  let routes = join(written.lists)
  // The templates answer while the project has no routes, or if the option names them.
  if (fixtures.length === 0 || options.fixtures.includes(templatesEntry)) {
    const lists: string[] = []
    for (const path of templateFiles())
      lists.push(writeDataRoutes(await readBundledFixture(project, path), writer))
    routes = `/*#__PURE__*/ mockApi.withTemplates(${routes}, ${join(lists)}, ${writeValue(graphql.paths, '')})`
  }
  const dist = path.join(packageFolder(), 'dist')
  const lines = [
    `import { createFetchHandler } from ${writePath(path.join(dist, 'fetch.js'))}`,
    `import * as mockApi from ${writePath(path.join(dist, 'routes-runtime.js'))}`,
    ...written.imports,
    ...writer.statements,
    `const routes = ${routes}`,
    `const fetchOptions = () => (${settings as string})`,
    `const handler = /*#__PURE__*/ mockApi.lazyHandler(() => createFetchHandler(routes, fetchOptions()))`,
    main,
  ]
  const sources = read.flatMap(({ path, dependencies }) => [path, ...dependencies])
  return {
    code: `${lines.join('\n')}\n`,
    diagnostics,
    files: [...new Set([...sources, ...schema.files, ...written.files])],
    places: fixturePlaces({ root, fixtures: [...ownPlaces, ...graphql.schema] }),
  }
}

const exportAll = 'export { fetchOptions, handler, routes }\n'

const disabledHandler =
  'const handler = /*#__PURE__*/ Object.assign(async () => {}, { setScenario() {}, reset() {}, save() {}, restore() {}, onChange: () => () => {} })'

function join(lists: readonly string[]): string {
  return lists.length === 1 ? lists[0]! : `/*#__PURE__*/ [].concat(${lists.join(', ')})`
}

async function writeFixtures(
  project: ResolvedOptions,
  fixtures: readonly BundledFixture[],
  writer: FileWriter,
  hasNode: boolean,
) {
  const imports: string[] = []
  const lists: string[] = []
  /** Fixture files in code, which may export a part of the GraphQL schema. */
  const schemaModules: string[] = []
  const diagnostics: Diagnostic[] = []
  const files: string[] = []
  for (const [index, fixture] of fixtures.entries()) {
    const { path, file, text } = fixture
    if (text === undefined) {
      lists.push(writeDataRoutes(fixture, writer))
      continue
    }
    const module = `module${index}`
    const written = await writeCodeRoutes(project, module, fixture, writer)
    imports.push(`import * as ${module} from ${writePath(path)}`)
    lists.push(written.list)
    files.push(...written.files)
    if (namesSchema(text)) schemaModules.push(module)
    const chain = hasNode ? undefined : findNodeImport(project, path)
    if (chain) diagnostics.push(diagnoseSetup('fixture-needs-node', { file }, { chain: [file, ...chain] }))
  }
  return { imports, lists, schemaModules, diagnostics, files }
}

function namesSchema(text: string): boolean {
  return /\bschema\b/.test(text)
}

/** Not checked if a fixture file in code may add to the schema. */
async function readSchemas({ root, graphql }: ResolvedOptions, fixtures: readonly BundledFixture[]) {
  if (graphql.schema.length === 0) return { texts: [], diagnostics: [], files: [] }
  const { sources, diagnostics, files } = await readSchema(root, graphql.schema)
  const isComplete = !fixtures.some(({ text }) => text !== undefined && namesSchema(text))
  if (diagnostics.length === 0 && isComplete) {
    const { createChecker } = await withGraphQLJs(() => import('../core/graphql-schema/create-checker.ts'))
    diagnostics.push(...createChecker(sources, graphql).diagnostics)
  }
  return { texts: sources.map(({ text }) => text), diagnostics, files }
}

function fetchOptionsOf(options: ResolvedOptions, schema: readonly string[]): FetchOptions {
  const { base, unmatched, navigation, navigationGiven, scenario, bodyLimit, functionTimeout } = options
  const { routeHeader, logLevel, graphql, values } = options
  const { paths, strict, partialSuccess, shape, scalars, maxTokens, maxDepth, maxCost } = graphql
  const limits = { maxTokens, maxDepth, maxCost }
  return {
    base,
    unmatched,
    scenario: [...scenario],
    bodyLimit,
    functionTimeout,
    routeHeader,
    logLevel,
    ...(navigationGiven && { navigation }),
    values: {
      ...(values.now !== undefined && { now: new Date(values.now).toISOString() }),
      seed: values.seed,
    },
    graphql: {
      path: [...paths],
      strict,
      partialSuccess,
      shape,
      scalars,
      ...limits,
      ...(schema.length > 0 && { schema: [...schema] }),
    },
  }
}

function writeOptions(options: FetchOptions, modules: readonly string[]): string | Diagnostic {
  const { graphql } = options
  try {
    if (modules.length === 0) return writeValue(options, '')
    const texts = writeValue(graphql?.schema ?? [], '')
    const schema = new RawCode(`mockApi.schemasOf(${[texts, ...modules].join(', ')})`)
    return writeValue({ ...options, graphql: { ...graphql, schema } }, '')
  } catch (error) {
    const [, option = '', what = ''] = /^\.(.*) is (.*)$/.exec((error as Error).message) ?? []
    return diagnoseSetup('option-not-data', {}, { option, what })
  }
}
