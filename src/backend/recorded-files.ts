import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import type { ResolvedOptions } from '../core/options/resolve-options.ts'
import { newFixturesFolder } from '../loader/find-fixtures.ts'
import { isReallyInside } from '../loader/watch/links.ts'
import type { WrittenFile } from '../writer/exchange.ts'

/** What became of a file; `kept`: it is the developer's. */
export type Fate = 'new' | 'replaced' | 'same' | 'kept'

/** The default is below the first folder of fixtures, which is loaded. */
export function recordingFolder(options: ResolvedOptions): string {
  const { root, record } = options
  return resolve(root, record.folder ?? join(newFixturesFolder(options), 'recorded'))
}

const firstLine = /^# Recorded from [^\n]+ \[([0-9a-f]{12})\]\n/

/** What no link in the folder may lead out of; a folder of the option may be anywhere. */
export function recordingRoot(options: ResolvedOptions): string {
  return options.record.folder === undefined ? newFixturesFolder(options) : recordingFolder(options)
}

/** The first line of each file has a hash of the rest and of its bodies: an edited file is the developer's, and stays. */
export class RecordedFiles {
  constructor(
    readonly folder: string,
    readonly root = folder,
  ) {}

  isRecorded(file: string): boolean {
    const text = readIfThere(file)?.toString('utf8') ?? ''
    const [line, hash] = firstLine.exec(text) ?? []
    if (line === undefined) return false
    const rest = text.slice(line.length)
    const bodies = bodiesIn(file, rest).map((name) => readIfThere(join(dirname(file), name)))
    return hashOf(rest, bodies) === hash
  }

  write(files: readonly WrittenFile[], source: string): Map<string, Fate> {
    if (!isReallyInside(this.root, this.folder))
      throw new Error(`a link leads ${this.folder} out of ${this.root}`)
    const fates = new Map<string, Fate>()
    const bodies = bodiesOf(files)
    for (const { path, content, routes } of files) {
      if (routes === 0) continue
      const target = join(this.folder, path)
      const rest = String(content)
      const own = bodiesIn(path, rest).flatMap((name) => bodies.get(name) ?? [])
      const hash = hashOf(
        rest,
        own.map((body) => body.content),
      )
      const text = `# Recorded from ${source}. The next recording writes this file again, unless it is edited. [${hash}]\n${rest}`
      const before = readIfThere(target)?.toString('utf8')
      const isOurs = before === undefined || this.isRecorded(target)
      fates.set(path, !isOurs ? 'kept' : before === text ? 'same' : before === undefined ? 'new' : 'replaced')
      if (!isOurs || before === text) continue
      // Bodies first: no fixture file names one that is missing.
      for (const body of own) writeWhole(join(this.folder, body.path), body.content)
      writeWhole(target, text)
      if (before !== undefined) this.#removeBodies(path, before, bodies)
    }
    return fates
  }

  remove(path: string, kept: readonly WrittenFile[]): void {
    const target = join(this.folder, path)
    if (!this.isRecorded(target)) return
    const text = readFileSync(target, 'utf8')
    rmSync(target, { force: true })
    this.#removeBodies(path, text, bodiesOf(kept))
  }

  #removeBodies(path: string, text: string, kept: ReadonlyMap<string, WrittenFile>): void {
    for (const name of bodiesIn(path, text))
      if (!kept.has(name)) rmSync(join(this.folder, name), { force: true })
  }
}

function bodiesOf(files: readonly WrittenFile[]): Map<string, WrittenFile> {
  return new Map(files.filter(({ routes }) => routes === 0).map((file) => [file.path, file]))
}

/** The bodies' names begin with that of their file. */
function bodiesIn(path: string, yaml: string): string[] {
  const start = basename(path, extname(path))
  return [...yaml.matchAll(/\bfile: *["']?([\w.-]+)/g)]
    .map(([, name]) => basename(name!))
    .filter((name) => name.startsWith(start) && extname(name) !== extname(path))
}

/** Without white space, which formatters change. */
function hashOf(text: string, bodies: readonly (string | Uint8Array | undefined)[]): string {
  const hash = createHash('sha256').update(text.replaceAll(/\s+/g, ''))
  for (const body of bodies) hash.update('\0').update(body ?? '')
  return hash.digest('hex').slice(0, 12)
}

function readIfThere(file: string): Buffer | undefined {
  return existsSync(file) ? readFileSync(file) : undefined
}

/** A temporary name keeps half-written files from the loader and other tools. */
function writeWhole(file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true })
  const temporary = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`)
  writeFileSync(temporary, content)
  renameSync(temporary, file)
}
