import { dirname, join } from 'node:path'
import { parse as parseYaml } from 'yaml'
import type { Diagnostic } from '../../src/core/diagnostics/diagnostic.ts'
import { formatDiagnostic } from '../../src/core/diagnostics/format.ts'
import { resolveOptions } from '../../src/core/options/resolve-options.ts'
import { routeSchema } from '../../src/core/schema/schema.ts'
import { compileRoutes } from '../../src/core/table/compile-routes.ts'
import { createModuleLoader } from '../../src/loader/module/load-module.ts'
import { readData } from '../../src/reader/read-data.ts'
import { readFixture } from '../../src/loader/read/read-fixture.ts'
import { createTestProject } from '../hosts/test-project.ts'
import { placeOf, type Block } from './pages.ts'

/** Folders whose files are fixture files, in the examples. */
const fixtureFile = /(?:^|\/)(?:fixtures|mocks|my-mocks)\//
const routeKeys = Object.keys(routeSchema.entries)

/** What is wrong with a block of YAML or JSON. A fixture file has to load without an error or a warning. */
export async function problemsOfData(block: Block, shown: readonly string[]): Promise<string[]> {
  const { language, text, file } = block
  const isYaml = language === 'yaml' || language === 'yml'
  let value: unknown
  try {
    value = isYaml ? parseYaml(text) : await parseJson(`example.${language}`, text)
  } catch (error) {
    if (!block.markers.has('wrong')) return [`${placeOf(block)} does not parse: ${(error as Error).message}`]
  }
  if (block.markers.has('wrong') || isFixture(value, block))
    return problemsOfFixture(block, isPart(value) ? wholeRoute(value) : text, shown)
  if (isYaml && !file)
    return [
      `${placeOf(block)} is neither a list of routes nor a part of one. Name its file in the first line: "# openapi.yaml".`,
    ]
  return []
}

async function parseJson(file: string, text: string): Promise<unknown> {
  const source = await readData(text, file)
  if ('diagnostic' in source) throw new Error(source.diagnostic.message)
  return source.value
}

function isFixture(value: unknown, { file, language }: Block): boolean {
  if (file !== undefined) return fixtureFile.test(file)
  if (Array.isArray(value)) return value.some((entry: unknown) => isObject(entry) && 'path' in entry)
  // An object in JSON may be anything, such as an answer.
  return language.startsWith('json') ? isObject(value) && '$schema' in value : isPart(value)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A few keys of a route, shown without the rest. */
function isPart(value: unknown): value is object {
  if (!isObject(value)) return false
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every((key) => routeKeys.includes(key))
}

function wholeRoute(part: { when?: object }): string {
  const isOther = 'paginate' in part || 'collection' in part || 'websocket' in part
  const answer = isOther ? {} : { response: {} }
  const method = part.when && 'body' in part.when ? 'POST' : 'GET'
  const hasMethod = !('path' in part) && !('collection' in part) && !('websocket' in part)
  const route = {
    ...(!('url' in part) && { path: '/example' }),
    ...(hasMethod && { method }),
    ...answer,
    ...part,
  }
  // The collections, routes, scenarios and mutations that it names.
  const named = (keys: string) => {
    const found = JSON.stringify(part).matchAll(new RegExp(`"(?:${keys})":"([\\w -]+)"`, 'g'))
    return [...new Set([...found].map(([, name]) => name!))]
  }
  const collections = named('create|update|replace|delete|one|collection|\\$item|\\$list')
  return JSON.stringify([
    route,
    ...collections.map((name) => ({ path: `/${name}`, collection: { items: [] } })),
    ...named('add|remove').map((scenario) => ({ path: '/named', scenario })),
    ...named('route').map((name) => ({ name, path: '/named', response: {} })),
    ...named('mutation').map((operationName) => ({
      path: '/graphql',
      when: { operationName },
      response: { body: { data: {} } },
    })),
  ])
}

async function problemsOfFixture(block: Block, text: string, shown: readonly string[]): Promise<string[]> {
  const { root, write, close } = createTestProject()
  const file = block.file ?? `fixtures/example.${block.language}`
  // The files that it names: any content will do.
  for (const [, name] of text.matchAll(/\bfile"?:\s*["']?([\w./-]+\.\w+)/g))
    write(join(dirname(file), name!), name!.endsWith('.json') ? '[{ "id": 1 }]' : 'example')
  for (const [, folder] of text.matchAll(/\$text: '([\w-]+\/)\{[^']*\.\w+'/g))
    write(join(dirname(file), folder!, 'example.txt'), 'example')
  const user = { properties: { id: { type: 'integer' }, name: { type: 'string' } } }
  const graphql = 'type Query { user: User } type User { id: ID! name: String }'
  for (const [, name] of text.matchAll(/\bschema"?:\s*["']?([\w./-]+\.\w+)/g)) {
    const content = name!.endsWith('.graphql')
      ? graphql
      : JSON.stringify({ components: { schemas: { User: user } } })
    write(join(dirname(file), name!), content)
  }
  if (text.includes('faker')) {
    write('node_modules/@faker-js/faker/package.json', '{ "main": "index.cjs" }')
    const made = '{ seed() {}, setDefaultRefDate() {}, person: { fullName: () => "Ada" } }'
    write('node_modules/@faker-js/faker/index.cjs', `exports.faker = ${made}`)
  }
  write(file, text)
  try {
    return compare(block, await diagnosticsOf(root, file), shown)
  } finally {
    close()
  }
}

/** What the dev server would report of a fixture file. */
export async function diagnosticsOf(root: string, file: string): Promise<readonly Diagnostic[]> {
  const logger = { info() {}, warn() {}, error() {} }
  const options = resolveOptions({}, { root, logger })
  const modules = createModuleLoader(root)
  const { routes, diagnostics } = await readFixture({ root }, join(root, file), modules, () => {}, true)
  return [...diagnostics, ...compileRoutes(routes, { ...options }).diagnostics]
}

/** The diagnostics of a block are those that it announces: none, or the codes of `<!-- wrong: … -->`, with the text shown. */
function compare(block: Block, found: readonly Diagnostic[], shown: readonly string[]): string[] {
  const announced = block.markers.get('wrong')?.split(/, */) ?? []
  const codes = found.map(({ code }) => code)
  if (codes.join() !== announced.join())
    return [
      `${placeOf(block)} should have ${announced.join(', ') || 'no diagnostics'}, and has:\n${found.map(formatDiagnostic).join('\n') || 'none'}`,
    ]
  const texts = found.map(formatDiagnostic)
  if (shown.length === 0) return []
  return texts
    .filter((text) => !shown.some((each) => each.includes(text)))
    .map((text) => `${placeOf(block)} has a diagnostic that the page shows differently:\n${text}`)
}
