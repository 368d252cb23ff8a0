import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { withGraphQLJs } from '../../core/graphql/with-graphql-js.ts'
import { seedFrom } from '../../core/values/plausible.ts'
import { isRecord, ownValue } from '../../core/values/values.ts'
import type { GenerateItems } from '../../core/schema/generate-schema.ts'
import { readSchema } from '../graphql-schema.ts'
import { UnusableFileError } from '../../files/read-whole-file.ts'
import { Documents, type DocumentPart } from '../../openapi/documents.ts'
import type { Generated } from '../../openapi/example-text.ts'
import { exampleValue } from '../../openapi/example-value.ts'
import { fittingValue } from '../../openapi/fitting-value.ts'
import { createValidate } from '../../openapi/validate.ts'

interface ItemsPlace {
  root: string
  /** The folder of the fixture file, to which `schema` is relative. */
  folder: string
  /** The key of an item's id. */
  id: string
  /** The option `graphql.schema`. */
  graphqlSchema: readonly string[]
}

/**
 * Items that are valid by their schema, the same each time: a value is a hash of seed, type, id and the path of its field.
 *
 * @throws Error when the schema can't be read, or no value fits it
 */
export async function generateItems(
  given: GenerateItems,
  place: ItemsPlace,
): Promise<{ items: unknown[]; files: string[] }> {
  const { count = 20, seed = 0, faker: fakes } = given
  const { part, documents, type, files, is30 } = await schemaOf(given, place)
  const validate = createValidate(documents, is30)
  const schema = documents.resolve(part)
  const examples = wholeExamples(schema.value)
  const idPart = idSchema(schema, place.id, documents)
  const fake = createFake(place.root, fakes !== undefined)
  const items: unknown[] = []
  try {
    for (let index = 0; index < count; index++) {
      const id = idPart && idOf(idPart, index, type, documents)
      const own = id === undefined ? {} : { [place.id]: id }
      const generated: Generated = {
        seed: seedFrom(seed, type, typeof id === 'number' || typeof id === 'string' ? id : index),
        type,
        given: own,
        fake,
        fakes,
      }
      const example = index < examples.length ? [{ ...examples[index], ...own }] : []
      const { value, wrong } = fittingValue(part, example, documents, validate, generated)
      if (wrong.length > 0)
        throw new UnusableFileError(
          `no value was found that fits ${type}: ${wrong[0]!.instanceLocation} ${wrong[0]!.error}`,
          'Correct the schema, or give it an example.',
        )
      items.push(value)
    }
  } catch (error) {
    if (!documents.isSpent) throw error
    throw new UnusableFileError(
      `${count} items of ${type} have too many parts`,
      `Make fewer: generate: { count: ${items.length} }.`,
    )
  }
  return { items, files: [...files, ...documents.paths] }
}

async function schemaOf({ schema, type }: GenerateItems, { root, folder, graphqlSchema }: ItemsPlace) {
  if (type === undefined && schema === undefined)
    throw new UnusableFileError(
      'it names neither a schema nor a type',
      "Name one: generate: { schema: 'openapi.yaml#/components/schemas/User' }.",
    )
  if (type === undefined) {
    const [name = '', pointer = ''] = schema!.split('#')
    const path = resolve(folder, name)
    const documents = new Documents(dirname(path))
    const { value } = documents.read(path)
    const part = documents.follow(path, `#${pointer}`)
    const is30 = isRecord(value) && String(value['openapi']).startsWith('3.0')
    return { part, documents, type: pointer.split('/').at(-1)! || 'item', files: [], is30 }
  }
  const { findObjectType, jsonSchemaOf } = await withGraphQLJs(
    () => import('../../core/graphql-schema/json-schema.ts'),
  )
  const { sources, files } = await readSchema(
    root,
    schema === undefined ? graphqlSchema : [resolve(folder, schema)],
  )
  const named = findObjectType(sources, type)
  if (!named)
    throw new UnusableFileError(
      `the GraphQL schema has no object type ${type}`,
      schema === undefined && graphqlSchema.length === 0
        ? 'Name the schema in the option "graphql.schema", or here: generate: { schema: schema.graphql, type: User }.'
        : 'Correct the name of the type.',
    )
  const part = { value: jsonSchemaOf(named), file: join(root, type) }
  return { part, documents: new Documents(root), type, files, is30: false }
}

function wholeExamples(schema: unknown): Record<string, unknown>[] {
  const { example, examples } = isRecord(schema) ? schema : {}
  return [...(Array.isArray(examples) ? (examples as unknown[]) : []), example].filter(isRecord)
}

/** The schema of the id, perhaps in a part of `allOf`. */
function idSchema(
  part: DocumentPart,
  id: string,
  documents: Documents,
  seen = new Set(),
): DocumentPart | undefined {
  const { value, file } = part
  if (seen.has(value)) return undefined
  seen.add(value)
  const own = ownValue(ownValue(value, 'properties'), id)
  if (own !== undefined) return documents.resolve({ value: own, file })
  const parts = ownValue(value, 'allOf')
  for (const one of Array.isArray(parts) ? (parts as unknown[]) : []) {
    const found = idSchema(documents.resolve({ value: one, file }), id, documents, seen)
    if (found) return found
  }
  return undefined
}

/** 1, 2, 3; for a text, what its format or its pattern asks for, else `user-1`. */
function idOf(part: DocumentPart, index: number, type: string, documents: Documents): unknown {
  const schema = isRecord(part.value) ? part.value : {}
  const made = exampleValue(part, documents, { index, isMade: true })
  const isPlain = ['format', 'pattern', 'enum', 'const', 'minLength', 'maxLength'].every(
    (key) => !(key in schema),
  )
  return typeof made === 'string' && isPlain ? `${type.toLowerCase()}-${index + 1}` : made
}

/** An optional package of the project: `person.fullName` is its `faker.person.fullName()`. Loaded where it is asked for. */
function createFake(root: string, isNeeded: boolean): NonNullable<Generated['fake']> {
  let loaded: Faker | null | undefined
  return (name, seed) => {
    loaded ??= loadFaker(root)
    if (!loaded && !isNeeded) return undefined
    if (!loaded)
      throw new UnusableFileError(
        'it asks for the package @faker-js/faker, which is not installed',
        'Install it: npm install --save-dev @faker-js/faker.',
      )
    const [group = '', method = ''] = name.split('.')
    const methods = ownValue(loaded, group) as Record<string, unknown> | undefined
    const make = method in Object.prototype ? undefined : methods?.[method]
    if (typeof make !== 'function')
      throw new UnusableFileError(
        `@faker-js/faker has no ${name}`,
        'Name one of its methods, such as person.fullName.',
      )
    loaded.seed(seed)
    const made: unknown = make.call(methods)
    return made instanceof Date ? made.toISOString() : made
  }
}

interface Faker {
  seed: (seed: number) => void
  setDefaultRefDate: (date: string) => void
}

function loadFaker(root: string): Faker | null {
  try {
    const require = createRequire(join(root, 'package.json'))
    const { faker } = require('@faker-js/faker') as { faker: Faker }
    faker.setDefaultRefDate('2026-01-15T12:00:00.000Z')
    return faker
  } catch {
    return null
  }
}
