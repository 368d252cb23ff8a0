import { describe, expect, it } from 'vitest'
import { formatDiagnostic } from '../../../src/core/diagnostics/format.ts'
import { openDocument } from '../../../src/openapi/documents.ts'
import { answers, Project } from '../project.ts'

const utf8 = (text: string) => Buffer.from(text)
const utf8WithMark = (text: string) => Buffer.from(`\uFEFF${text}`)
/** What Windows PowerShell writes with `>`. */
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')
const utf16WithoutMark = (text: string) => Buffer.from(text, 'utf16le')
const utf16BigEndian = (text: string) => utf16(text).swap16()
const crlf = (text: string) => Buffer.from(text.replaceAll('\n', '\r\n'))

const encodings = { utf8, utf8WithMark, utf16, utf16WithoutMark, utf16BigEndian, crlf }

describe.each(Object.entries(encodings))('%s', (_, encode) => {
  it.each<[path: string, text: string]>([
    ['fixtures/a.yaml', '- path: /a\n  response:\n    body: |-\n      Jürgen\n      Zoë\n'],
    ['fixtures/a.json', '[\n\t{ "path": "/a", "response": { "body": "Jürgen\\nZoë" } }\n]\n'],
    ['fixtures/a.jsonc', '[\n\t// one\n\t{ "path": "/a", "response": { "body": "Jürgen\\nZoë" } },\n]\n'],
    ['fixtures/a.json5', "[\n\t{ path: '/a', response: { body: 'Jürgen\\nZoë' } },\n]\n"],
  ])('%s', async (path, text) => {
    const project = new Project({ [path]: encode(text) })
    const store = await project.load()
    expect(answers(store)).toEqual(['GET /a Jürgen\nZoë'])
    expect(project.logs).toEqual([])
  })

  it.each(['list.json', 'list.yaml'])('%s as a list, and as a body', async (name) => {
    const text = '[\n  { "name": "Zoë" }\n]'
    const project = new Project({
      'fixtures/a.yaml': `- path: /list\n  paginate: { items: { file: ${name} } }\n- path: /body\n  response: { file: ${name} }\n`,
      [`fixtures/${name}`]: encode(text),
    })
    const store = await project.load()
    expect(project.logs).toEqual([])
    const [list, body] = store.current!.routes
    expect(list!.paging!.items).toEqual([{ name: 'Zoë' }])
    const { bytes } = (body!.response as { body: { bytes: Buffer } }).body
    // JSON is always sent in UTF-8, everything else as it is.
    if (name === 'list.json') expect(JSON.parse(bytes.toString())).toEqual([{ name: 'Zoë' }])
    else expect(bytes).toEqual(encode(text))
  })
})

it.each<[what: string, path: string, bytes: Buffer, expected: string]>([
  [
    'Latin-1 in YAML',
    'fixtures/a.yaml',
    Buffer.from('- path: /a\n  response: { body: { name: Jürgen } }\n', 'latin1'),
    'fixtures/a.yaml:2:30 The file is not in UTF-8: a character can\'t be read, and is sent as "\uFFFD".',
  ],
  [
    'Latin-1 in JSON',
    'fixtures/a.json',
    Buffer.from('[{ "path": "/a", "response": { "body": "Jürgen" } }]', 'latin1'),
    'fixtures/a.json:1:42 The file is not in UTF-8: a character can\'t be read, and is sent as "\uFFFD".',
  ],
  [
    'a character that is NUL in UTF-8',
    'fixtures/a.yaml',
    Buffer.from("'\0- path: /a\n"),
    'fixtures/a.yaml:2:1 Syntax error: a quote is not closed.',
  ],
  [
    'UTF-16 in TypeScript',
    'fixtures/a.ts',
    utf16('export default [{ path: "/a" }]'),
    "fixtures/a.ts The fixture file can't be read: it is in UTF-16, and code is read in UTF-8.\n  Fix: Save the file in UTF-8.",
  ],
])('%s is explained', async (_, path, bytes, expected) => {
  const store = await new Project({ [path]: bytes }).load()
  const shown = store.current!.diagnostics.map(formatDiagnostic)
  expect(shown).toEqual([expect.stringContaining(expected)])
})

it('Latin-1 in test data is not mentioned', async () => {
  const project = new Project({ 'fixtures/users.json': Buffer.from('[{ "name": "Jürgen" }]', 'latin1') })
  const store = await project.load()
  expect(store.current!.diagnostics.map(({ code }) => code)).toEqual(['fixture-without-routes'])
})

it.each<[what: string, name: string, text: string, route: string, place: string]>([
  ['items', 'items.json', '[\n  { "name": "Zoë" }\n]', 'paginate: { items: { file: items.json } }', '2:16'],
  ['items of a collection', 'items.yaml', '- id: Zoë\n', 'collection: { items: { file: items.yaml } }', '1:9'],
  ['a body of JSON', 'body.json', '{ "name": "Zoë" }', 'response: { file: body.json }', '1:14'],
  ['a text that is streamed', 'poem.txt', 'Zoë\n', 'response: { stream: { text: { file: poem.txt } } }', '1:3'],
])('Latin-1 in %s is reported', async (_, name, text, route, place) => {
  const files = {
    'fixtures/a.yaml': `- path: /a\n  ${route}\n`,
    [`fixtures/${name}`]: Buffer.from(text, 'latin1'),
  }
  const store = await new Project(files).load()
  expect(store.current!.diagnostics.map(formatDiagnostic)).toEqual([
    expect.stringContaining(`fixtures/${name}:${place} The file is not in UTF-8`),
  ])
}) // prettier-ignore

it.each(Object.keys(encodings) as (keyof typeof encodings)[])('an OpenAPI document in %s is read', (name) => {
  const project = new Project({ 'api.yaml': encodings[name]('openapi: 3.1.0\ninfo: { title: Zoë }\n') })
  const { document } = openDocument(project.path('api.yaml'), 'api.yaml')
  expect(document.value).toMatchObject({ info: { title: 'Zoë' } })
})

it('bytes of a picture are no text', async () => {
  const files = {
    'fixtures/a.yaml': '- { path: /a, response: { file: a.png } }\n',
    'fixtures/a.png': Buffer.from([137, 80, 78, 71, 255]),
  }
  expect((await new Project(files).load()).current!.diagnostics).toEqual([])
})
