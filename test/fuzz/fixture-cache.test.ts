/* A file gives the same routes and diagnostics from the cache as when it is parsed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { failedConditions } from '../../src/core/select/failed-conditions.ts'
import { ParsedRequest } from '../../src/core/request/parsed-request.ts'
import { createCachedReader } from '../../src/loader/cache/cached-reader.ts'
import type { ReadFixture } from '../../src/loader/read/read-fixture.ts'
import { createReader, type FixtureReader } from '../../src/loader/read/reader.ts'
import { patience, sampling } from '../sampling.ts'
import { corpus } from './fixture-corpus.ts'
import { dataText } from './fixture-texts.ts'
import { goodWhen, request } from './selector-arbitraries.ts'

const root = mkdtempSync(join(tmpdir(), 'mock-api-'))
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }))

const reader = createReader(root, {})
let count = 0

/** What each of two starts reads from a file with this text, and how often the second one had to parse. */
async function readTwice(extension: string, text: string) {
  const cache = join(root, 'cache', String(count++))
  const file = join(root, `fixture.${extension}`)
  writeFileSync(file, text)
  let parsed = 0
  const counting: FixtureReader = {
    ...reader,
    read: (...parameters) => (parsed++, reader.read(...parameters)),
  }
  const read: ReadFixture[] = []
  for (let start = 0; start < 2; start++) {
    parsed = 0
    const cached = createCachedReader(root, cache, '1', () => Promise.resolve(counting))
    read.push(await cached.read(file, () => {}))
    await cached.save()
  }
  return { first: read[0]!, second: read[1]!, parsed }
}

/** Functions are equal if they have the same name. */
function withoutFunctions(value: unknown): unknown {
  if (typeof value === 'function') return `function ${value.name}`
  if (Array.isArray(value)) return value.map(withoutFunctions)
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      inner === undefined ? [] : [[key, withoutFunctions(inner)]],
    ),
  )
}

async function check(extension: string, text: string): Promise<void> {
  const { first, second, parsed } = await readTwice(extension, text)
  expect(withoutFunctions(second)).toEqual(withoutFunctions(first))
  expect(parsed).toBe(first.diagnostics.length > 0 ? 1 : 0)
}

/** The large ones take long to read twice, and to compare; bodies that are too deep to compare are among them. */
const small = corpus.filter(({ extension, text }) => extension !== 'ts' && text.length < 2000)

it.each(small)('$name', ({ extension, text }) => check(extension, text))

it('any data file', { timeout: patience }, () =>
  fc.assert(
    fc.asyncProperty(dataText, ({ extension, text }) => check(extension, text)),
    sampling(20),
  ),
)

it('selectors select the same requests', { timeout: patience }, () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(goodWhen, { maxLength: 3 }),
      fc.array(request, { minLength: 1, maxLength: 3 }),
      async (whens, requests) => {
        const fixture = whens.map((when) => ({ path: '/r/:id', method: 'POST', when }))
        const { first, second } = await readTwice('json', JSON.stringify(fixture))
        expect(second.routes).toHaveLength(first.routes.length)
        for (const raw of requests) {
          const parsed = new ParsedRequest(raw, { id: '2' }, undefined)
          const failed = ({ routes }: ReadFixture) =>
            routes.map(({ selector }) => selector && failedConditions(selector, parsed))
          expect(failed(second)).toEqual(failed(first))
        }
      },
    ),
    sampling(50),
  ),
)
