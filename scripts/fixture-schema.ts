/*
 * Writes `fixture.schema.json`, the JSON Schema that editors check and complete YAML and JSON fixture files with. Its
 * shape comes from the schemas in src/core/schema, and its descriptions from the comments above their keys.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { toJsonSchema } from '@valibot/to-json-schema'
import ts from 'typescript'
import {
  delayCurveSchema,
  delayRangeSchema,
  dribbleSchema,
  rateLimitSchema,
  addedErrorSchema,
} from '../src/core/schema/fault-schema.ts'
import { collectionSchema, writeSchema } from '../src/core/schema/collection-schema.ts'
import { generateSchema } from '../src/core/schema/generate-schema.ts'
import { paginateSchema } from '../src/core/schema/paginate-schema.ts'
import { fixtureSchema, responseSchema, routeSchema } from '../src/core/schema/schema.ts'
import { bodySchema, requestValueSchema } from '../src/core/schema/value-schema.ts'
import {
  incrementalSchema,
  partSchema,
  streamEventSchema,
  streamSchema,
  triggerSchema,
} from '../src/core/schema/stream-schema.ts'
import {
  socketCloseSchema,
  socketMessageSchema,
  socketStepSchema,
  websocketSchema,
} from '../src/core/schema/websocket-schema.ts'
import { operatorsSchema, selectorSchema } from '../src/core/schema/selector-schema.ts'
import { methods, snippets, suggestions } from './fixture-schema-examples.ts'

type JsonSchema = { [key: string]: unknown; properties?: Record<string, JsonSchema> }

function createFixtureSchema(): JsonSchema {
  const source = [
    'schema.ts',
    'selector-schema.ts',
    'fault-schema.ts',
    'value-schema.ts',
    'collection-schema.ts',
    'generate-schema.ts',
    'paginate-schema.ts',
    'stream-schema.ts',
    'websocket-schema.ts',
  ]
    .map((name) => readFileSync(new URL(`../src/core/schema/${name}`, import.meta.url), 'utf8'))
    .join('\n')
  const schema = toJsonSchema(fixtureSchema, {
    typeMode: 'input',
    errorMode: 'ignore',
    target: 'draft-07',
    definitions: {
      operatorsSchema,
      requestValueSchema,
      bodySchema,
      selectorSchema,
      delayRangeSchema,
      delayCurveSchema,
      dribbleSchema,
      addedErrorSchema,
      streamEventSchema,
      streamSchema,
      triggerSchema,
      partSchema,
      incrementalSchema,
      responseSchema,
      paginateSchema,
      generateSchema,
      collectionSchema,
      writeSchema,
      rateLimitSchema,
      socketStepSchema,
      socketMessageSchema,
      socketCloseSchema,
      websocketSchema,
      routeSchema,
    },
  }) as JsonSchema
  const definitions = (schema.definitions ?? schema.$defs) as Record<string, JsonSchema>
  for (const [name, comments] of keyComments(source)) {
    for (const [key, description] of comments) {
      const property = propertyOf(definitions, name, key)
      // draft-07 ignores keywords next to a $ref.
      if ('$ref' in property) {
        property.allOf = [{ $ref: property.$ref }]
        delete property.$ref
      }
      property.description = description
    }
  }
  for (const [name, keys] of Object.entries(suggestions))
    for (const [key, suggested] of Object.entries(keys))
      Object.assign(propertyOf(definitions, name, key), suggested)
  const { method } = definitions['routeSchema']!.properties!
  definitions['routeSchema']!.properties!['method'] = { ...method, anyOf: [{ enum: methods }, {}] }
  definitions['routeSchema']!['oneOf'] = [{ required: ['path'] }, { required: ['url'] }]
  definitions['routeSchema']!['defaultSnippets'] = snippets
  // A list, or an object around it, since JSON has no other place for `$schema`. Each keyword applies to one of the two types.
  return {
    title: 'unplugin-mock-api fixture file',
    ...schema,
    type: ['array', 'object'],
    properties: {
      $schema: { type: 'string' },
      origin: { type: 'string', description: originDescription },
      routes: { type: 'array', items: schema.items },
    },
    required: ['routes'],
    additionalProperties: false,
  }
}

const originDescription =
  'The origin that the paths of the file are below: `https://api.example.com`. Default: that of the application.'

function propertyOf(definitions: Record<string, JsonSchema>, name: string, key: string): JsonSchema {
  const property = definitions[name]?.properties?.[key]
  if (!property) throw new Error(`${name}.${key} is missing in the JSON Schema`)
  return property
}

const target = new URL('../fixture.schema.json', import.meta.url)
writeFileSync(target, `${JSON.stringify(createFixtureSchema(), null, 2)}\n`)

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
