/* What a write keeps: bytes that were not edited, mode, links; and what it refuses. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import fc from 'fast-check'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { FileError } from '../../src/files/file-error.ts'
import { edited, readTextFile } from '../../src/files/text-file.ts'
import { versionOf, writeFile, writeFiles } from '../../src/files/write-files.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mock-api-files-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
})
const at = (name: string) => join(root, name)
const make = (name: string, bytes: string | Uint8Array) => (writeFileSync(at(name), bytes), at(name))
const namesIn = (folder = '') => readdirSync(at(folder)).sort()
const refusalOf = (write: () => unknown) => {
  try {
    write()
  } catch (error) {
    if (error instanceof FileError) return error.refusal
    throw error
  }
  return 'written'
}

it.each<[what: string, before: string, edit: string, after: string]>([
  ['LF', 'a\nb\n', 'a\nx\nb\n', 'a\nx\nb\n'],
  ['CRLF', 'a\r\nb\r\n', 'a\nx\nb\n', 'a\r\nx\r\nb\r\n'],
  ['CRLF, and a text as a script reads it', 'a\r\nb\r\n', 'a\r\nx\r\nb\r\n', 'a\r\nx\r\nb\r\n'],
  ['LF, and a text with CRLF', 'a\nb\n', 'a\r\nx\r\nb\r\n', 'a\nx\nb\n'],
  ['mixed ends, a line more', 'a\r\nb\nc\r\n', 'a\nb\nx\nc\n', 'a\r\nb\nx\nc\r\n'],
  ['mixed ends, the first line edited', 'a\nb\r\nc\n', 'x\nb\nc\n', 'x\nb\r\nc\n'],
  ['mixed ends, a line less', 'a\r\nb\nc\r\n', 'a\nc\n', 'a\r\nc\r\n'],
  ['mixed ends, without one at the end', 'a\r\nb\nc', 'a\nb\nd', 'a\r\nb\nd'],
  ['mixed ends, two edits', 'a\r\nb\nc\r\nd\n', 'x\nb\nc\ny\n', 'x\r\nb\nc\r\ny\n'],
  ['a byte order mark', '\uFEFFa\n', 'a\nb\n', '\uFEFFa\nb\n'],
  ['a byte order mark in both', '\uFEFFa\r\n', '\uFEFFa\r\nb\r\n', '\uFEFFa\r\nb\r\n'],
])('%s', (_, before, edit, after) => {
  const path = make('a.yaml', before)
  writeFile(path, edited(edit))
  expect(readFileSync(path, 'utf8')).toBe(after)
})

it('keeps every line that was not edited, whatever the ends of lines', () => {
  const line = fc.record({
    text: fc.constantFrom('a', 'b', 'c', '', '  d'),
    end: fc.constantFrom('\n', '\r\n'),
  })
  const lines = fc.array(line, { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(lines, fc.nat(), fc.boolean(), (old, where, isMore) => {
      const index = where % old.length
      // Of two equal lines with other ends, nobody knows which one was edited.
      const whole = old.map(({ text, end }, number) => `${text} ${number}${end}`)
      const path = make('a.yaml', whole.join(''))
      const plain = readTextFile(path).text.split('\n').slice(0, -1)
      plain.splice(index, isMore ? 0 : 1, 'new')
      writeFile(path, edited(`${plain.join('\n')}\n`))
      const now = readFileSync(path, 'utf8').split(/(?<=\n)/)
      whole.splice(index, isMore ? 0 : 1, now[index]!)
      expect(now).toEqual(whole)
      expect(now[index]!.trim()).toBe('new')
    }),
  )
})

it.each<[what: string, bytes: Uint8Array]>([
  ['Latin-1', Buffer.from('# café\n- path: /a\n', 'latin1')],
  ['Windows-1252', Buffer.from([0x23, 0x20, 0x80, 0x0a])],
  ['UTF-16 with a mark', Buffer.from('\uFEFF- path: /a\n', 'utf16le')],
  ['UTF-16 without a mark', Buffer.from('- path: /a\n', 'utf16le')],
  ['UTF-16, big endian', Buffer.from('\uFEFF- path: /a\n', 'utf16le').swap16()],
  ['half a character at the end', Buffer.from([0x61, 0xc3])],
  ['a lone surrogate', Buffer.from([0xed, 0xa0, 0x80])],
])('an edit of %s is refused', (_, bytes) => {
  const path = make('a.yaml', bytes)
  expect(refusalOf(() => writeFile(path, edited('- path: /b\n')))).toBe('encoding')
  expect(readFileSync(path)).toEqual(Buffer.from(bytes))
  expect(namesIn()).toEqual(['a.yaml'])
})

it.each([0o777, 0o755, 0o640, 0o600, 0o666])('keeps the mode %o', (mode) => {
  const path = make('a.yaml', 'a\n')
  chmodSync(path, mode)
  writeFile(path, edited('b\n'))
  expect((statSync(path).mode & 0o777).toString(8)).toBe(mode.toString(8))
})

it.each<[what: string, refusal: string, make: (path: string) => void]>([
  ['a read-only file', 'read-only', (path) => chmodSync(path, 0o444)],
  ['a file with two names', 'hard-link', (path) => linkSync(path, at('other'))],
  ['a file that has changed', 'changed', (path) => writeFileSync(path, 'c\n')],
  ['a file that is gone', 'changed', (path) => rmSync(path)],
  ['a folder', 'failed', (path) => (rmSync(path), mkdirSync(path))],
])('%s is left as it is', (_, refusal, change) => {
  const path = make('a.yaml', 'a\n')
  const { version } = readTextFile(path)
  change(path)
  const before = namesIn()
  for (const content of [edited('b\n'), 'b\n', new Uint8Array([1]), undefined])
    expect(refusalOf(() => writeFile(path, content, { expected: version }))).toBe(refusal)
  expect(namesIn()).toEqual(before)
})

it.each<[what: string, target: string, within: string, refusal: string]>([
  ['a link in the folder', 'project/real.yaml', 'project', 'written'],
  ['a link that leads out', 'outside/real.yaml', 'project', 'outside'],
  ['a link that leads out, where all is allowed', 'outside/real.yaml', '', 'written'],
  ['a link to nothing', 'project/none/missing.yaml', 'project', 'exists'],
])('%s: %s within "%s"', (_, target, within, refusal) => {
  for (const folder of ['project', 'outside']) mkdirSync(at(folder))
  const real = at(target)
  if (!target.includes('missing')) writeFileSync(real, 'a\n')
  symlinkSync(real, at('project/link.yaml'))
  expect(refusalOf(() => writeFile(at('project/link.yaml'), edited('b\n'), { within: [at(within)] }))).toBe(
    refusal,
  )
  expect(lstatSync(at('project/link.yaml')).isSymbolicLink()).toBe(true)
  if (existsSync(real)) expect(readFileSync(real, 'utf8')).toBe(refusal === 'written' ? 'b\n' : 'a\n')
})

it('a new file is not written over one that is there', () => {
  const path = make('a.yaml', 'a\n')
  expect(refusalOf(() => writeFile(path, 'b\n', { expected: '' }))).toBe('exists')
  expect(readFileSync(path, 'utf8')).toBe('a\n')
})

it.each<[what: string, last: string]>([
  ['is refused', 'read-only.yaml'],
  ['has a file as its folder', 'a.yaml/b.yaml'],
])('writes none of several files if one %s', (_, last) => {
  const path = make('a.yaml', 'a\n')
  chmodSync(make('read-only.yaml', 'a\n'), 0o444)
  const files = [
    { path, content: 'b\n' },
    { path: at('new/deep/c.yaml'), content: 'c\n' },
    { path: at(last), content: 'd\n' },
  ]
  expect(() => writeFiles(files)).toThrow(FileError)
  expect([namesIn(), readFileSync(path, 'utf8')]).toEqual([['a.yaml', 'read-only.yaml'], 'a\n'])
})

it('takes back what was written if a later file appears meanwhile', () => {
  const path = make('a.yaml', 'a\n')
  const appears = () => (mkdirSync(at('b.yaml')), Buffer.from('b\n'))
  const files = [
    { path, content: 'x\n', expected: versionOf(Buffer.from('a\n')) },
    { path: at('new/c.yaml'), content: 'c\n' },
    { path: at('b.yaml'), content: appears, expected: '' },
  ]
  expect(() => writeFiles(files)).toThrow(FileError)
  expect([namesIn(), readFileSync(path, 'utf8')]).toEqual([['a.yaml', 'b.yaml'], 'a\n'])
})

it.skipIf(process.platform === 'win32')('a full disk leaves nothing behind, and files as they were', () => {
  const path = make('a.yaml', 'a\n')
  const module = JSON.stringify(resolve('src/files/write-files.ts'))
  const script = make(
    'write.mts',
    `import { writeFiles } from ${module}
const files = ['a.yaml', 'new/deep/b.yaml'].map((name) => ({ path: ${JSON.stringify(root)} + '/' + name, content: name.startsWith('a') ? 'b' : 'c'.repeat(1e6) }))
try { writeFiles(files) } catch (error) { console.log(error.refusal, error.reason) }`,
  )
  // A process that may write no file of more than a few blocks; without the trap, the signal would end it.
  const limited = `trap '' XFSZ; ulimit -f 8; exec "$0" node_modules/jiti/lib/jiti-cli.mjs "$1"`
  const env = { ...process.env, JITI_FS_CACHE: 'false' }
  const { stdout } = spawnSync('sh', ['-c', limited, process.execPath, script], { encoding: 'utf8', env })
  expect(stdout).toMatch(/^failed EFBIG/)
  expect([namesIn(), readFileSync(path, 'utf8')]).toEqual([['a.yaml', 'write.mts'], 'a\n'])
})
