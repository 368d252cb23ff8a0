/* The tables of options list every option, with the default that it has. */
import { expect, it } from 'vitest'
import { resolveOptions } from '../../src/core/options/resolve-options.ts'
import type { MiddlewareOptions, Options } from '../../src/core/options/options.ts'
import { readPage } from './pages.ts'

interface Row {
  option: string
  /** As the page shows it: `` `'error'` ``, or words. */
  value: string
}

/** The rows of the tables whose first column is called "Option". */
function rowsOf(page: string): Row[] {
  const tables = readPage(page).match(/^\| Option\b.*\n(?:\|.*\n)+/gm) ?? []
  const rows = tables.join('').matchAll(/^\| `([\w.]+)` +\| (.*?) +\|/gm)
  return [...rows].map(([, option, value]) => ({ option: option!, value: value! }))
}

const logger = { info() {}, warn() {}, error() {} }
const resolved = resolveOptions({}, { root: '/project', logger })
const defaults: Record<string, unknown> = {
  ...resolved,
  fixtures: resolved.fixtures[0],
  inspector: resolved.inspector.dev,
  logLevel: 'info',
}
const { paths, ...graphql } = resolved.graphql
for (const [name, value] of Object.entries({ path: paths[0], ...graphql }))
  defaults[`graphql.${name}`] = value
const graphqlRows = rowsOf('docs/graphql.md')
const rows = rowsOf('docs/options.md')
const ofMiddlewares = ['cors', 'allowedHosts']

it.each([...rows, ...graphqlRows].filter(({ value }) => value.startsWith('`')))(
  '$option has the default $value',
  ({ option, value }) => {
    const text = typeof defaults[option] === 'string' ? `'${defaults[option]}'` : String(defaults[option])
    expect(`\`${text}\``).toBe(value)
  },
)

it('every option is listed', () => {
  // A missing option is a type error.
  const every: Record<keyof (MiddlewareOptions & Options), true> = {
    root: true,
    fixtures: true,
    base: true,
    enabled: true,
    unmatched: true,
    navigation: true,
    scenario: true,
    bodyLimit: true,
    functionTimeout: true,
    routeHeader: true,
    badge: true,
    outgoing: true,
    values: true,
    graphql: true,
    logLevel: true,
    logger: true,
    watch: true,
    inspector: true,
    overlay: true,
    record: true,
    build: true,
    cors: true,
    allowedHosts: true,
  }
  const others = rowsOf('docs/hosts/connect.md').filter(({ option }) => ofMiddlewares.includes(option))
  const listed = [...rows, ...others].map(({ option }) => option)
  expect(listed.toSorted()).toEqual(Object.keys(every).toSorted())
})

it('every option of the GraphQL endpoint is listed', () => {
  const listed = graphqlRows.map(({ option }) => option)
  const every = Object.keys({ path: true, ...graphql }).map((name) => `graphql.${name}`)
  expect(listed.toSorted()).toEqual(every.toSorted())
})
