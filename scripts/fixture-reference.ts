/*
 * Updates docs/fixture-reference.md: every key of a fixture file, with its type, default and meaning from the JSON Schema that
 * `npm run build` makes. The page itself has the examples, and the texts of its sections. A test fails when it is not up to date.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { currentReference, page, sections } from './fixture-reference-page.ts'
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

if (process.argv[1]?.endsWith('fixture-reference.ts')) writeFileSync(page, fixtureReference())

/** The page as the schema makes it. */
export function fixtureReference(): string {
  const schema = new URL('../fixture.schema.json', import.meta.url)
  const { $defs } = JSON.parse(readFileSync(schema, 'utf8')) as { $defs: Record<string, JsonSchema> }
  const texts = Object.entries(sections).flatMap(([name, [prefix]]) => {
    const { properties, required } = $defs[name]!
    return Object.entries(properties!).map(
      ([key, value]) => [prefix + key, describe(value, required?.includes(key) ?? false, $defs)] as const,
    )
  })
  const missing = new Map(texts)
  const written = currentReference().replace(/^### `(.+)`\n[^]*?\n(?=```yaml$)/gm, (_, key: string) => {
    const text = missing.get(key)
    if (!missing.delete(key))
      throw new Error(`docs/fixture-reference.md describes a key that fixture files do not have: ${key}`)
    return `### \`${key}\`\n\n${text}\n\n`
  })
  const without = [...missing.keys()].map((key) => `### \`${key}\``)
  if (without.length > 0)
    throw new Error(`docs/fixture-reference.md needs a heading and an example: ${without.join(', ')}`)
  return written
}

function describe(schema: JsonSchema, isRequired: boolean, defs: Record<string, JsonSchema>): string {
  const description = schema.description!.replaceAll(/\s+/g, ' ')
  const [, meaning, value] = /^(.*?)(?: Default:? (.*?)\.?)?$/.exec(description)!
  const type = typeOf(schema, defs)
  const facts = type === 'any value' ? [] : [`Type: ${type}.`]
  if (isRequired) facts.push('Required.')
  else if (value !== undefined) facts.push(`Default: ${value}.`)
  return [meaning!, facts.join(' ')].filter(Boolean).map(wrap).join('\n\n')
}

/** A type in words. What is a section of its own is a link to it. */
function typeOf(schema: JsonSchema, defs: Record<string, JsonSchema>): string {
  const ref = schema.$ref ?? schema.allOf?.[0]?.$ref
  if (ref !== undefined) {
    const name = ref.slice('#/$defs/'.length)
    if (name === 'bodySchema') return 'any value'
    return sections[name]?.[1] ?? typeOf(defs[name]!, defs)
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
