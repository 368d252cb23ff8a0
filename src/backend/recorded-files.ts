import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import type { ResolvedOptions } from '../core/options/resolve-options.ts'
import { redactUrl } from '../core/redact/redact.ts'
import { reasonOf } from '../core/values/thrown.ts'
import { FileError } from '../files/file-error.ts'
import { writeFiles } from '../files/write-files.ts'
import { newFixturesFolder } from '../loader/find/find-fixtures.ts'
import { recordedChanges } from './recorded-changes.ts'
import { schemaLine } from '../loader/schema-line.ts'
import type { WrittenFile } from '../writer/exchange/exchange.ts'

/**
 * Result of recording a file. `kept`: the developer has changed the file, so it was not written. `better`: nor was it, since good
 * answers would be lost. An error: it can't be written.
 */
export type Fate = 'new' | 'replaced' | 'same' | 'kept' | 'better' | FileError

/** The option's folder. Default: a folder below the first folder of fixtures, which is loaded. */
export function recordingFolder(options: ResolvedOptions): string {
  const { root, record } = options
  return resolve(root, record.folder ?? join(newFixturesFolder(options), 'recorded'))
}

/** First line of a recorded file: a hash of what follows, and the names of the file's bodies. */
const firstLine = /^# Recorded from [^\n]+ \[([0-9a-f]{12})((?: [\w.-]+)*)\]\n/

const ofOrigin = /^# Recorded from the origin (\S+)\. /

/** The folder that no link may lead out of. A folder given as an option may be anywhere. */
export function recordingRoot(options: ResolvedOptions): string {
  return options.record.folder === undefined ? newFixturesFolder(options) : recordingFolder(options)
}

/** The first line of each file has a hash of the rest and of its bodies: an edited file is the developer's, and stays. */
export class RecordedFiles {
  /** @param origin another one than the backend, whose answers are recorded */
  constructor(
    readonly folder: string,
    readonly root = folder,
    readonly origin?: string,
  ) {}

  isRecorded(file: string): boolean {
    const text = readIfThere(file)?.toString('utf8') ?? ''
    return ofOrigin.exec(text)?.[1] === this.origin && this.#read(file) !== undefined
  }

  /** The names of the bodies of a file as it was recorded; `undefined` for any other. */
  #read(file: string): string[] | undefined {
    const text = readIfThere(file)?.toString('utf8') ?? ''
    const [line, hash, list] = firstLine.exec(text) ?? []
    if (line === undefined) return undefined
    const start = basename(file, extname(file))
    const names = list!.split(' ').filter((name) => name !== '' && name.startsWith(start))
    const bodies = names.map((name) => readIfThere(join(dirname(file), name)))
    return hashOf(text.slice(line.length), bodies) === hash ? names : undefined
  }

  /** @param tell is told what a file says otherwise than the recording before */
  write(
    files: readonly WrittenFile[],
    target = 'the dev server',
    tell: (path: string, changes: string[]) => void = () => {},
  ): Map<string, Fate> {
    const source = this.origin === undefined ? redactUrl(target) : `the origin ${this.origin}`
    const fates = new Map<string, Fate>()
    const bodies = bodiesOf(files)
    const writeOne = ({ path, content, bodies: names = [] }: WrittenFile) => {
      const target = join(this.folder, path)
      const rest = `${schemaLine(target)}${String(content)}`
      const own = names.map((name) => bodies.get(name)!)
      const contents = own.map(({ content }) => content)
      const hash = hashOf(rest, contents)
      const text = `# Recorded from ${source}. The next recording writes this file again, unless it is edited. [${[hash, ...names].join(' ')}]\n${rest}`
      const before = readIfThere(target)?.toString('utf8')
      const ofBefore = before === undefined ? [] : this.#read(target)
      const foreign = ofBefore ? own.find((body) => this.#isOfDeveloper(body, ofBefore)) : { path }
      if (foreign) fates.set(foreign.path, 'kept')
      else fates.set(path, before === text ? 'same' : before === undefined ? 'new' : 'replaced')
      if (foreign || before === text) return
      const { losses, differences } = recordedChanges(before ?? '', text)
      const told = losses.length > 0 ? losses : differences
      if (told.length > 0) tell(path, told)
      if (losses.length > 0) return void fates.set(path, 'better')
      // Bodies first: no fixture file names one that is missing.
      const changed = own.map(({ path, content }) => ({ path: join(this.folder, path), content }))
      writeFiles([...changed, { path: target, content: text }], { within: [this.root] })
      this.#removeBodies(ofBefore!, bodies)
    }
    for (const file of files) {
      if (file.routes === 0) continue
      try {
        writeOne(file)
      } catch (error) {
        const refused =
          error instanceof FileError ? error : new FileError('failed', file.path, reasonOf(error))
        fates.set(file.path, refused)
      }
    }
    return fates
  }

  #isOfDeveloper({ path, content }: WrittenFile, recorded: readonly string[]): boolean {
    const there = recorded.includes(path) ? undefined : readIfThere(join(this.folder, path))
    return there !== undefined && !there.equals(Buffer.from(content as Uint8Array))
  }

  remove(path: string, kept: readonly WrittenFile[]): void {
    const target = join(this.folder, path)
    const names = this.#read(target)
    if (!names) return
    rmSync(target, { force: true })
    this.#removeBodies(names, bodiesOf(kept))
  }

  #removeBodies(names: readonly string[], kept: ReadonlyMap<string, WrittenFile>): void {
    for (const name of names) if (!kept.has(name)) rmSync(join(this.folder, name), { force: true })
  }
}

function bodiesOf(files: readonly WrittenFile[]): Map<string, WrittenFile> {
  return new Map(files.filter(({ routes }) => routes === 0).map((file) => [file.path, file]))
}

/** Hash of a file and its bodies. White space does not count, since formatters change it. */
function hashOf(text: string, bodies: readonly (string | Uint8Array | undefined)[]): string {
  const hash = createHash('sha256').update(text.replaceAll(/\s+/g, ''))
  for (const body of bodies) hash.update('\0').update(body ?? '')
  return hash.digest('hex').slice(0, 12)
}

function readIfThere(file: string): Buffer | undefined {
  return existsSync(file) ? readFileSync(file) : undefined
}
