/*
 * Writes `fixture.schema.json`, the JSON Schema that editors check and complete YAML and JSON fixture files with. Its
 * shape comes from the schemas in src/core/schema, its descriptions and defaults from the comments above their keys, and what
 * editors suggest from the examples in docs/fixture-reference.md.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { toJsonSchema } from '@valibot/to-json-schema'
import ts from 'typescript'
import type { GenericSchema } from 'valibot'
import { parse } from 'yaml'
import { fixtureSchema } from '../src/core/schema/schema.ts'
import { currentReference, sections } from './fixture-reference-page.ts'

type JsonSchema = { [key: string]: unknown; properties?: Record<string, JsonSchema> }

/** By the headings of the reference: what editors suggest besides its example. */
const alsoSuggested: Record<string, unknown[]> = {
  path: ['/orders', '/graphql'],
  scenario: [['payment-down', 'new-customer']],
  when: [{ operationName: 'Hero' }],
  response: [{ status: 404, body: { code: 'not_found' } }],
  $exists: [true],
  $from: ['params.id', 'body.name', 'variables.id'],
  'response.status': [201, 204, 400, 401, 403, 409, 422, 429, 500, 503],
  'response.body': [{ data: { hero: null } }],
  'response.file': [{ $text: 'orders/{params.id}.json' }],
  'response.delay': [
    { min: 100, max: 900 },
    { median: 200, sigma: 0.5 },
  ],
  'response.fault': [{ dribble: 500 }],
  'response.stream.text': [{ file: 'answer.md' }],
  'response.on': [{ mutation: 'RenameOrder' }],
  'websocket.close': [4001],
  'paginate.items': [[{ id: 1 }, { id: 2 }]],
  'write.id': ['$id'],
  'collection.items': [
    [{ id: 1 }],
    { generate: { schema: 'openapi.yaml#/components/schemas/User', count: 50 } },
  ],
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', '*']

/** `$1` is where the cursor begins, `${2:x}` a text to type over: https://code.visualstudio.com/docs/languages/json#_define-snippets-in-json-schemas */
const snippets = [
  {
    label: 'route',
    description: 'A method, a path and an answer',
    body: {
      method: '${1:GET}',
      path: '/${2:orders/:id}',
      response: { status: '^${3:200}', body: { id: '^${4:7}' } },
    },
  },
  {
    label: 'GraphQL error',
    description: 'Errors and partial data with HTTP 200',
    body: {
      path: '/graphql',
      when: { operationName: '${1:Hero}' },
      response: {
        body: { data: { '${2:hero}': null }, errors: [{ message: '${3:It failed.}', path: ['${2:hero}'] }] },
      },
    },
  },
  {
    label: 'pages',
    description: 'A list that is sent in pages',
    body: {
      path: '/${1:items}',
      paginate: { perPage: '^${2:3}', items: [{ id: '^${3:1}', name: '${4:one}' }] },
    },
  },
  {
    label: 'scenario',
    description: 'A route that stands before the others while its scenario is active',
    body: {
      name: '${1:the payment provider is down}',
      scenario: '${2:payment-down}',
      method: '${3:POST}',
      path: '/${4:checkout}',
      response: { status: '^${5:503}', body: { message: '${6:Try again later.}' } },
    },
  },
  {
    label: 'sequence',
    description: 'Answers that are given one after the other',
    body: {
      path: '/${1:orders/:id}',
      response: [{ body: { state: '${2:open}' } }, { body: { state: '${3:paid}' } }],
    },
  },
]

const folder = new URL('../src/core/schema/', import.meta.url)
const target = new URL('../fixture.schema.json', import.meta.url)
const files = readdirSync(folder).filter((name) => name.endsWith('schema.ts'))
writeFileSync(target, `${JSON.stringify(await createFixtureSchema(), null, 2)}\n`)

async function createFixtureSchema(): Promise<JsonSchema> {
  const modules = await Promise.all(
    files.map((name) => import(new URL(name, folder).href) as Promise<Record<string, GenericSchema>>),
  )
  const all = modules.flatMap((module) => Object.entries(module))
  const schema = toJsonSchema(fixtureSchema, {
    typeMode: 'input',
    errorMode: 'ignore',
    target: 'draft-07',
    definitions: Object.fromEntries(all.filter(([name]) => name in sections || name === 'bodySchema')),
  }) as JsonSchema
  const definitions = schema.$defs as Record<string, JsonSchema>
  const source = files.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n')
  const examples = examplesOfReference()
  for (const [name, comments] of keyComments(source))
    for (const [key, description] of comments) {
      const property = definitions[name]?.properties?.[key]
      if (!property) throw new Error(`${name}.${key} is missing in the JSON Schema`)
      // draft-07 ignores keywords next to a $ref.
      if ('$ref' in property) {
        property.allOf = [{ $ref: property.$ref }]
        delete property.$ref
      }
      const heading = sections[name]![0] + key
      const suggested = [examples.get(heading) ?? [], alsoSuggested[heading] ?? []].flat()
      Object.assign(
        property,
        { description, ...defaultIn(description) },
        suggested.length > 0 && { examples: suggested },
      )
    }
  const route = definitions['routeSchema']!
  route.properties!['method'] = { ...route.properties!['method'], anyOf: [{ enum: methods }, {}] }
  route['oneOf'] = [{ required: ['path'] }, { required: ['url'] }]
  route['defaultSnippets'] = snippets
  // A list, or an object around it, since JSON has no other place for `$schema`. Each keyword applies to one of the two types.
  return {
    title: 'unplugin-mock-api fixture file',
    ...schema,
    type: ['array', 'object'],
    properties: {
      $schema: { type: 'string' },
      origin: {
        type: 'string',
        description:
          'The origin that the paths of the file are below: `https://api.example.com`. Default: that of the application.',
      },
      routes: { type: 'array', items: schema.items },
    },
    required: ['routes'],
    additionalProperties: false,
  }
}

/** Of "Default: `page`." and "Default 20."; none of a default in words. */
function defaultIn(description: string): { default?: unknown } {
  const [, value] = /\sDefault:?\s(`[\w-]+`|\d+(?:\.\d+)?)(?=[;:.]|$)/.exec(description) ?? []
  return value === undefined ? {} : { default: parse(value.replaceAll('`', '')) as unknown }
}

/** The values of the keys in the examples, by the headings above them. */
function examplesOfReference(): Map<string, unknown[]> {
  const blocks = currentReference().matchAll(/^### `(.+)`\n[^]*?```yaml\n([^]*?)```/gm)
  return new Map(
    [...blocks].map(([, heading, example]) => {
      const found: unknown[] = []
      const key = heading!.split('.').at(-1)!
      JSON.stringify(parse(example!), (name, value: unknown) => {
        if (name === key) found.push(value)
        return value
      })
      return [heading!, found.slice(-1)]
    }),
  )
}

/** The comments above the keys of each `const …Schema = v.strictObject({ … })`, and of each `const …Entries = { … }` of one. */
function keyComments(text: string): Map<string, Map<string, string>> {
  const file = ts.createSourceFile('schema.ts', text, ts.ScriptTarget.Latest, true)
  const comments = new Map<string, Map<string, string>>()
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue
    const [declaration] = statement.declarationList.declarations
    const name = declaration?.name.getText() ?? ''
    let entries = declaration?.initializer
    if (entries && ts.isCallExpression(entries) && entries.expression.getText() === 'v.strictObject')
      entries = entries.arguments[0]
    else if (!name.endsWith('Entries')) continue
    if (!entries || !ts.isObjectLiteralExpression(entries)) continue
    const keys = new Map<string, string>()
    for (const property of entries.properties) {
      if (ts.isSpreadAssignment(property)) {
        const name = property.expression.getText().replace(/Entries$/, 'Schema')
        comments.get(name)?.forEach((comment, key) => keys.set(key, comment))
        continue
      }
      const [comment] = ts.getJSDocCommentsAndTags(property)
      if (comment) keys.set(property.name.getText(), ts.getTextOfJSDocComment(comment.comment)!)
    }
    comments.set(name.replace(/Entries$/, 'Schema'), keys)
  }
  return comments
}
