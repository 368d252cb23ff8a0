import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { RecordedFiles, recordingFolder } from '../../src/backend/recorded-files.ts'
import { resolveOptions } from '../../src/core/options/resolve-options.ts'
import type { WrittenFile } from '../../src/writer/exchange/exchange.ts'

let folder: string
let files: RecordedFiles
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mock-api-recorded-'))
  files = new RecordedFiles(folder)
})
afterEach(() => rmSync(folder, { recursive: true }))

const items: WrittenFile = {
  path: 'items.yaml',
  content: '- path: /items\n  response: { body: [] }\n',
  routes: 1,
}
const logo: WrittenFile[] = [
  {
    path: 'logo.yaml',
    content: '- path: /logo\n  response: { file: logo.png }\n',
    routes: 1,
    bodies: ['logo.png'],
  },
  { path: 'logo.png', content: new Uint8Array([1, 2, 255]), routes: 0 },
]
const write = (...written: WrittenFile[]) =>
  Object.fromEntries(files.write(written, 'https://staging.example'))
const read = (path: string) => readFileSync(join(folder, path), 'utf8')
const change = (path: string, edit: (text: string) => string) =>
  writeFileSync(join(folder, path), edit(read(path)))

it('writes a file whose first line says where it comes from', () => {
  expect(write(items)).toEqual({ 'items.yaml': 'new' })
  const [first, ...rest] = read('items.yaml').split('\n')
  expect(first).toMatch(/^# Recorded from https:\/\/staging\.example\. .* \[[0-9a-f]{12}\]$/)
  expect(rest.join('\n')).toBe(items.content)
  expect(readdirSync(folder)).toEqual(['items.yaml'])
  expect(files.isRecorded(join(folder, 'items.yaml'))).toBe(true)
})

it('knows a file that came through the proxy of the dev server', () => {
  files.write([items], 'the dev server')
  expect(files.isRecorded(join(folder, 'items.yaml'))).toBe(true)
})

it('does not write the same again', () => {
  write(items, ...logo)
  expect(write(items, ...logo)).toEqual({ 'items.yaml': 'same', 'logo.yaml': 'same' })
})

it.each<[name: string, path: string, edit: (text: string) => string, fate: string]>([
  ['an edited file', 'logo.yaml', (text) => text.replace('/logo', '/icon'), 'kept'],
  ['an edited body', 'logo.png', () => 'mine', 'kept'],
  ['a file without its first line', 'logo.yaml', (text) => text.replace(/^.*\n/, ''), 'kept'],
  ['a file written by hand', 'logo.yaml', () => '- path: /logo\n', 'kept'],
  ['a file that was only formatted', 'logo.yaml', (text) => text.replace('{ file: logo.png }', '{file: logo.png}'), 'replaced'],
])('%s: %s', (_, path, edit, fate) => {
  write(...logo)
  change(path, edit)
  const before = read(path)
  const changed = { ...logo[0]!, content: `${String(logo[0]!.content)}- path: /b\n` }
  expect(files.isRecorded(join(folder, 'logo.yaml'))).toBe(fate === 'replaced')
  expect(write(changed, logo[1]!)).toEqual({ 'logo.yaml': fate })
  if (fate === 'kept') expect(read(path)).toBe(before)
}) // prettier-ignore

it('removes bodies that are no longer there, and nothing else', () => {
  writeFileSync(join(folder, 'mine.png'), 'mine')
  write({ ...logo[0]!, content: `${String(logo[0]!.content)}- { path: /b, response: { body: { file: mine.png } } }\n` }, logo[1]!) // prettier-ignore
  write({ ...logo[0]!, content: '- path: /logo\n', bodies: [] })
  expect(readdirSync(folder).sort()).toEqual(['logo.yaml', 'mine.png'])
})

it("leaves a developer's file that has the name of a body, and its endpoint with it", () => {
  writeFileSync(join(folder, 'logo.png'), 'mine')
  expect(write(...logo)).toEqual({ 'logo.png': 'kept' })
  expect([read('logo.png'), readdirSync(folder)]).toEqual(['mine', ['logo.png']])
  writeFileSync(join(folder, 'logo.png'), logo[1]!.content)
  expect(write(...logo)).toEqual({ 'logo.yaml': 'new' })
})

it('takes nothing in a recorded text for a body', () => {
  const text = {
    path: 'api.yaml',
    content: '- { path: /api, response: { body: "file: api-txt.md" } }\n',
    routes: 1,
  }
  writeFileSync(join(folder, 'api-txt.md'), 'mine')
  expect(write(text)).toEqual({ 'api.yaml': 'new' })
  writeFileSync(join(folder, 'api-txt.md'), 'changed')
  expect(files.isRecorded(join(folder, 'api.yaml'))).toBe(true)
  files.remove('api.yaml', [])
  expect(readdirSync(folder)).toEqual(['api-txt.md'])
})

it('removes a file whose endpoint is a part of another one, unless it was edited', () => {
  write(items, ...logo)
  change('items.yaml', (text) => `${text}# mine\n`)
  files.remove('items.yaml', [])
  files.remove('logo.yaml', [])
  expect(readdirSync(folder)).toEqual(['items.yaml'])
})

it('writes nothing where a link leads out of the fixtures', () => {
  const outside = mkdtempSync(join(tmpdir(), 'mock-api-outside-'))
  onTestFinished(() => rmSync(outside, { recursive: true }))
  symlinkSync(outside, join(folder, 'recorded'))
  const linked = new RecordedFiles(join(folder, 'recorded'), folder)
  expect(linked.write([items], 'x').get('items.yaml')).toMatchObject({ refusal: 'outside' })
  expect(readdirSync(outside)).toEqual([])
})

/** Recordings have to be where the fixtures of the next start are. */
it.each<[fixtures: string[], recorded: string]>([
  [['templates', 'mocks'], 'mocks/recorded'],
  [['new-folder'], 'new-folder/recorded'],
  [['app/[locale]/mocks'], 'app/[locale]/mocks/recorded'],
  [['!mocks/old', 'mocks/**/*.yaml'], 'mocks/recorded'],
  [['templates'], 'fixtures/recorded'],
])('records with fixtures: %j in %s', (fixtures, recorded) => {
  for (const path of ['mocks', 'app/[locale]/mocks']) mkdirSync(join(folder, path), { recursive: true })
  const options = resolveOptions({ fixtures }, { root: folder, logger: console })
  expect(recordingFolder(options)).toBe(join(folder, recorded))
})

it('names the schema for editors, where the package is installed', () => {
  mkdirSync(join(folder, 'node_modules/unplugin-mock-api'), { recursive: true })
  writeFileSync(join(folder, 'node_modules/unplugin-mock-api/fixture.schema.json'), '{}')
  expect(write(items)).toEqual({ 'items.yaml': 'new' })
  expect(readFileSync(join(folder, 'items.yaml'), 'utf8').split('\n')[1]).toBe(
    '# yaml-language-server: $schema=node_modules/unplugin-mock-api/fixture.schema.json',
  )
  expect(files.isRecorded(join(folder, 'items.yaml'))).toBe(true)
  expect(write(items)).toEqual({ 'items.yaml': 'same' })
})

it('a recording of another origin and one of the backend each know their own files', () => {
  const elsewhere = new RecordedFiles(folder, folder, 'https://a.example')
  write(items)
  elsewhere.write([{ ...items, path: 'a.yaml' }])
  const recorded = (one: RecordedFiles) =>
    ['items.yaml', 'a.yaml'].filter((path) => one.isRecorded(join(folder, path)))
  expect(read('a.yaml')).toMatch(/^# Recorded from the origin https:\/\/a\.example\. /)
  expect([recorded(files), recorded(elsewhere)]).toEqual([['items.yaml'], ['a.yaml']])
  expect(recorded(new RecordedFiles(folder, folder, 'https://b.example'))).toEqual([])
})

const users = (response: string, when = '') => `- path: /users${when}\n  response: ${response}\n`
it.each<[what: string, before: string, after: string, fate: string, told: string[]]>([
  ['a refusal', users('{ body: [] }'), users('{ status: 401, body: {} }'), 'better', ['GET /users answers 401, not 200']],
  ['nothing there', users('{ body: [] }'), users('{ status: 404 }'), 'better', ['GET /users answers 404, not 200']],
  ['a fault of the backend', users('{ body: [] }'), users('{ status: 500 }'), 'replaced', []],
  ['a good answer beside it', users('{ body: [] }'), users('{ body: [] }') + users('{ status: 401 }'), 'replaced', []],
  [
    'another request that is refused',
    users('{ body: [] }'),
    users('{ status: 401 }', '\n  when: { query: { a: b } }'),
    'replaced',
    [],
  ],
  ['a refusal that is accepted now', users('{ status: 401 }'), users('{ body: [] }'), 'replaced', []],
  [
    'another shape',
    users('{ body: [{ zip: 1 }] }'),
    users('{ body: [{ postalCode: 1 }] }'),
    'replaced',
    ['GET /users: "zip" is gone. "postalCode" is new.'],
  ],
  ['other values', users('{ body: [{ zip: 1 }] }'), users('{ body: [{ zip: 2, city: Graz }] }'), 'replaced', []],
])('a second recording with %s', (_, before, after, fate, told) => {
  const write = (content: string) => {
    const changes: string[] = []
    const fates = files.write([{ ...items, content }], 'https://staging.example', (_path, all) =>
      changes.push(...all),
    )
    return { fate: fates.get('items.yaml'), changes }
  }
  write(before)
  expect(write(after)).toEqual({ fate, changes: told })
  expect(read('items.yaml').endsWith(fate === 'better' ? before : after)).toBe(true)
}) // prettier-ignore
