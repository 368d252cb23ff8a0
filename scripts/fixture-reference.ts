/*
 * Writes docs/fixture-reference.md: every key of a fixture file, with its type, default and meaning from the JSON Schema that
 * `npm run build` makes, and an example. A test fails when the page is not up to date.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { examples, sections } from './fixture-reference-texts.ts'
import { wrap } from './wrap.ts'

interface JsonSchema {
  type?: string | string[]
  enum?: string[]
  const?: unknown
  description?: string
  $ref?: string
  anyOf?: JsonSchema[]
  allOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  propertyNames?: JsonSchema
  additionalProperties?: JsonSchema | boolean
  required?: string[]
  minimum?: number
  maximum?: number
}

const page = new URL('../docs/fixture-reference.md', import.meta.url)
if (process.argv[1]?.endsWith('fixture-reference.ts')) writeFileSync(page, fixtureReference())

/** The page as it is. */
export function currentReference(): string {
  return readFileSync(page, 'utf8')
}

/** The page as the schema and the examples make it. */
export function fixtureReference(): string {
  const schema = new URL('../fixture.schema.json', import.meta.url)
  const { $defs } = JSON.parse(readFileSync(schema, 'utf8')) as { $defs: Record<string, JsonSchema> }
  const intro = wrap(
    'Every key of a fixture file. A file is a list of routes; in JSON, it may also be an object with the list in `routes`, and with an `origin` that the paths of the file are below. [Fixture files](fixture-files.md) introduces them. In an editor, the same texts come from `fixture.schema.json`.',
  )
  const parts = Object.entries(sections).map(([name, section]) => {
    const definition = $defs[name]!
    const keys = Object.entries(definition.properties!).map(([key, value]) =>
      entry(`${section.prefix}${key}`, value, definition.required?.includes(key) ?? false, $defs),
    )
    return [`## ${section.title}`, wrap(section.text), ...keys].join('\n\n')
  })
  const note = '<!-- Written by scripts/fixture-reference.ts. -->'
  return `${['# Fixture reference', note, intro, ...parts].join('\n\n')}\n`
}

function entry(
  key: string,
  schema: JsonSchema,
  isRequired: boolean,
  defs: Record<string, JsonSchema>,
): string {
  const example = examples[key]
  if (example === undefined) throw new Error(`scripts/fixture-reference-texts.ts has no example of ${key}`)
  const description = schema.description!.replaceAll(/\s+/g, ' ')
  const [, meaning, value] = /^(.*?)(?: Default:? (.*?)\.?)?$/.exec(description)!
  const facts = [`Type: ${typeOf(schema, defs)}.`]
  if (isRequired) facts.push('Required.')
  else if (value !== undefined) facts.push(`Default: ${value}.`)
  return [`### \`${key}\``, wrap(meaning!), wrap(facts.join(' ')), `\`\`\`yaml\n${example}\n\`\`\``].join(
    '\n\n',
  )
}

/** A type in words. What is a section of its own is a link to it. */
function typeOf(schema: JsonSchema, defs: Record<string, JsonSchema>): string {
  const ref = schema.$ref ?? schema.allOf?.[0]?.$ref
  if (ref !== undefined) {
    const name = ref.slice('#/$defs/'.length)
    if (name === 'bodySchema') return 'any value'
    const section = sections[name]
    return section ? `[${section.type}](#${section.anchor})` : typeOf(defs[name]!, defs)
  }
  if (schema.anyOf) {
    // Numbers, strings and what only code can hold.
    const types = new Set(
      schema.anyOf.map((each) => typeOf(each, defs)).filter((type) => type !== 'any value'),
    )
    return oneOf([...types])
  }
  if (schema.enum) return oneOf(schema.enum.map((value) => `\`${value}\``))
  if (schema.const !== undefined) return `\`${String(schema.const)}\``
  if (schema.type === 'array') return schema.items ? listOf(typeOf(schema.items, defs)) : 'list'
  if (schema.type === 'integer') return `whole number${boundsOf(schema)}`
  if (schema.type === 'object') return objectOf(schema, defs)
  return typeof schema.type === 'string' ? schema.type : 'any value'
}

function oneOf(types: readonly string[]): string {
  return types.length < 2 ? (types[0] ?? 'any value') : `${types.slice(0, -1).join(', ')} or ${types.at(-1)}`
}

function listOf(item: string): string {
  if (item === 'any value') return 'list'
  return `list of ${/ or |object/.test(item) ? `(${item})` : item.replace(/^\[([^\]]+)/, '[$1s')}`.replace(
    /(string|number)$/,
    '$1s',
  )
}

function objectOf(
  { properties, additionalProperties }: JsonSchema,
  defs: Record<string, JsonSchema>,
): string {
  if (properties)
    return `object with ${Object.keys(properties)
      .map((key) => `\`${key}\``)
      .join(', ')}`
  const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties, defs) : 'any value'
  return value === 'any value'
    ? 'object'
    : `object; each value is ${/^[aeo]/.test(value) ? 'an' : 'a'} ${value}`
}

function boundsOf({ minimum, maximum }: JsonSchema): string {
  const largest = 2_147_483_647 // the longest timer
  if (minimum !== undefined && maximum !== undefined && maximum < largest)
    return ` from ${minimum} to ${maximum}`
  return minimum === undefined ? '' : `, at least ${minimum}`
}
