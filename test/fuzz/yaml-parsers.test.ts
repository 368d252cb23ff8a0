/* The reader of YAML agrees with another library on the value of a file, with or without mistakes. */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseDocument } from 'yaml'
import { readYaml } from '../../src/reader/read-yaml.ts'
import { patience, sampling, parts } from '../sampling.ts'
import { dataText } from './fixture-texts.ts'

const good = `# head
- &a
  path: /a
  when:
    query: &q { page: 2, 'q k': x, empty: , none }
  response: &r
    status: 0x1F
    none:
    headers: {x-a: 1.0, <<: *q}
    body: |
      text # no

      more
    fold: >-   # comment
      a
      b

- <<: [*a, { y: .inf }]
  name: "me\\tx\\
    y"
  list:
  - 1
  -
  - [a, 'it''s', {c: d}, e: f]
  - - x
    - *r
  ? |
    block
  : val
- 404: n
  __proto__: ~
  date: 2001-12-14
  tagged: [!!str 1, ! a, !!int "2", !!seq [], !!map {}, !!str ]
  "r" : multi
    line
  &k key: *a
`

const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  take: fc.nat({ max: 6 }),
  put: fc.constantFrom(...parts('¦- ¦\n¦  ¦# c¦{¦]¦,¦a: ¦:¦1.0¦0o17¦"¦&a ¦*q¦<<: *q')),
})
const edited = fc.array(edit, { maxLength: 3 }).map((edits) =>
  edits.reduce((text, { at, take, put }) => {
    const start = Math.floor(at * text.length)
    return text.slice(0, start) + put + text.slice(start + take)
  }, good),
)
// The libraries differ on what is before the end of a document, on numbers that are too large, and on a CR without LF, which is
// a line break (https://yaml.org/spec/1.2.2/#54-line-break-characters) and text for `yaml`.
const file = dataText.filter(
  ({ extension, text }) => extension === 'yaml' && !/^\.\.\.|\de\d{3}|\r(?!\n)/m.test(text),
)

it.each<[string, fc.Arbitrary<string>, runs: number]>([
  ['a file with everything that is common', fc.constant(good), 1],
  ['one with mistakes', edited, 60],
  ['a fixture file', file.map(({ text }) => text), 15],
])('%s', { timeout: patience }, async (_, texts, runs) => {
  await fc.assert(fc.asyncProperty(texts, agree), sampling(runs))
})

async function agree(text: string): Promise<void> {
  const source = await readYaml(text, 'a.yaml')
  const document = parseDocument(text, { merge: true, resolveKnownTags: false, logLevel: 'silent' })
  if ('diagnostic' in source) expect(source.diagnostic.line).toBeGreaterThan(0)
  else if (document.errors.length === 0) {
    const value: unknown = document.toJS({ maxAliasCount: -1 })
    expect(isDeepStrictEqual(source.value, value) || [source.value, value]).toBe(true)
  }
}
