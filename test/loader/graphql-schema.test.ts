import { buildSchema, introspectionFromSchema } from 'graphql/index.js'
import fs from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { replaceBuiltin } from '../builtin.ts'
import { displayPath } from '../../src/files/paths.ts'
import { readSchema } from '../../src/loader/graphql-schema.ts'
import { Project } from './project.ts'
import { formatDiagnostic } from '../../src/core/diagnostics/format.ts'

// Whoever runs the tests may be allowed to read everything.
replaceBuiltin(
  fs,
  'readFile',
  (readFile) =>
    ((...args: Parameters<typeof readFile>) =>
      String(args[0]).endsWith('locked.graphql')
        ? Promise.reject(new Error('EACCES'))
        : readFile(...args)) as typeof readFile,
)

const files = {
  'app/schema.graphql': 'type Query { a: Int }',
  'app/schema/one.graphqls': 'one',
  'app/schema/deep/two.gql': 'two',
  'app/schema/deep/notes.md': 'notes',
  'app/schema/node_modules/dep/dep.graphql': 'dep',
  'app/[locale]/l.graphql': 'locale',
  'app/schema.json': '{}',
  'app/node_modules/api/api.graphql': 'api',
  'other/o.graphql': '\uFEFFother',
  'other/w.gql': Buffer.from('\uFEFFwindows', 'utf16le'),
}

describe('readSchema reads', () => {
  it.each<[what: string, places: string[], found: [file: string, text: string][]]>([
    ['a file', ['schema.graphql'], [['schema.graphql', 'type Query { a: Int }']]],
    ['a glob, by path', ['schema/**/*.{gql,graphqls}'], [['schema/deep/two.gql', 'two'], ['schema/one.graphqls', 'one']]],
    ['a folder', ['./schema'], [['schema/deep/two.gql', 'two'], ['schema/one.graphqls', 'one']]],
    ['a folder whose name looks like a glob', ['[locale]'], [['[locale]/l.graphql', 'locale']]],
    ['a list, each file once', ['schema', 'schema/*.graphqls', 'schema.graphql'], [['schema.graphql', 'type Query { a: Int }'], ['schema/deep/two.gql', 'two'], ['schema/one.graphqls', 'one']]],
    ['what is not taken away', ['!schema/deep', 'schema'], [['schema/one.graphqls', 'one']]],
    ['another package', ['../other/*.graphql'], [['../other/o.graphql', 'other']]],
    ['UTF-16, as PowerShell writes it', ['../other/*.gql'], [['../other/w.gql', 'windows']]],
    ['an installed package', ['node_modules/api/*.graphql'], [['node_modules/api/api.graphql', 'api']]],
    ['nothing where nothing is asked for', [], []],
  ])('%s', async (_, places, found) => {
    const project = new Project(files)
    const root = project.path('app')
    const read = await readSchema(root, places)
    expect(read.diagnostics).toEqual([])
    const absolute = found.map(([file]) => project.path(file.startsWith('../') ? file.slice(3) : `app/${file}`))
    expect(read.files).toEqual(absolute)
    expect(read.sources).toEqual(found.map(([, text], index) => ({ file: displayPath(root, absolute[index]!), text })))
  }) // prettier-ignore

  it.each<[places: string[], found: string[], said: unknown[]]>([
    [['nope.graphql'], [], ['There is no schema file at "nope.graphql".']],
    [
      ['nope/*.graphql', 'schema.graphql'],
      ['schema.graphql'],
      ['There is no schema file at "nope/*.graphql".'],
    ],
    [['schema/deep/*.md'], [], ['There is no schema file at "schema/deep/*.md".']],
    [['schema', '!schema'], [], ['There is no schema file at "schema".']],
    [
      ['schema/deep/notes.md'],
      [],
      ['schema/deep/notes.md The schema file can\'t be read: its name ends in ".md".'],
    ],
    [
      ['schema.json'],
      [],
      [expect.stringMatching(/^schema\.json The schema file can't be read: .*introspection/)],
    ],
  ])('and reports what is missing: %j', async (places, found, said) => {
    const { diagnostics, sources } = await readSchema(new Project(files).path('app'), places)
    expect(sources.map(({ file }) => file)).toEqual(found)
    expect(diagnostics.map((diagnostic) => formatDiagnostic(diagnostic).split('\n')[0])).toEqual(said)
  })

  it.each([
    ['with its envelope', (data: object) => ({ data })],
    ['without', (data: object) => data],
  ])('the answer to an introspection query, %s', async (_, wrap) => {
    const data = introspectionFromSchema(buildSchema('type Query { product(id: ID!): String }'))
    const project = new Project({ 'admin.json': JSON.stringify(wrap(data)), 'package.json': '{}' })
    const { sources, diagnostics } = await readSchema(project.root, ['admin.json'])
    expect(diagnostics).toEqual([])
    expect(sources).toEqual([{ file: 'admin.json', text: 'type Query {\n  product(id: ID!): String\n}' }])
  })

  it('the files that can be read', async () => {
    const project = new Project({ 'a.graphql': 'a', 'locked.graphql': 'b' })
    const { sources, diagnostics, files: found } = await readSchema(project.root, ['*.graphql'])
    expect(sources).toEqual([{ file: 'a.graphql', text: 'a' }])
    expect(found).toEqual([project.path('a.graphql'), project.path('locked.graphql')])
    expect(diagnostics.map((diagnostic) => formatDiagnostic(diagnostic).split('\n')[0])).toEqual([
      "locked.graphql The schema file can't be read: EACCES",
    ])
  })
})
