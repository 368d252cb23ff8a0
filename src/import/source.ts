import { openSync, readFileSync, readSync, closeSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createJiti } from 'jiti'
import { parse } from 'yaml'
import { formatPlace } from '../core/diagnostics/format.ts'
import { parseExactly } from '../core/values/exact-number.ts'
import { attempt, reasonOf } from '../core/values/thrown.ts'
import { nestsDeeperThan } from '../core/values/values.ts'
import { isReallyInside } from '../files/links.ts'
import { decodeText, maxFileSize } from '../files/read-whole-file.ts'
import { createProjectJiti, createResolver, projectWorld } from '../loader/module/project-modules.ts'
import { importFailed } from '../loader/module/explain-import.ts'
import { BrokenEntry } from '../writer/har/har-entry.ts'

const headSize = 65_536
const maxLevels = 500

/** Starts of YAML that is read: parsing any other text as YAML would take long for nothing. */
const yamlKey = /(?:openapi|swagger)["']?|_?type|info|opencollection|http|variables/.source
const yamlStart = new RegExp(`^["']?(?:${yamlKey}):`, 'm')
const flowStart = new RegExp(`^\\s*\\{\\s*(?:${yamlKey}):`)

/** A file to import, or a text without one. Its content decides what it is. */
export class ImportSource {
  /** Exports of a module; `undefined` for other files. */
  exports?: Record<string, unknown>
  /** Why a module can't be loaded, and where. */
  problem?: { where: string; reason: string }
  #text: string | undefined
  #parsed: { value: unknown } | undefined

  /**
   * @param name as messages have it, with `/`
   * @param path absolute; `undefined` for a text from somewhere else
   */
  constructor(
    readonly name: string,
    readonly path: string | undefined,
    text?: string,
  ) {
    this.#text = text
  }

  get isModule(): boolean {
    return /\.[cm]?[jt]sx?$/.test(this.name)
  }

  /** The beginning of the text: a HAR file may be too large to be read as a whole. */
  get head(): string {
    if (this.#text !== undefined || this.path === undefined) return this.text.slice(0, headSize)
    const file = openSync(this.path, 'r')
    try {
      const bytes = Buffer.alloc(headSize)
      return decodeText(bytes.subarray(0, readSync(file, bytes)))
    } finally {
      closeSync(file)
    }
  }

  /** @throws Error for a large file */
  get text(): string {
    if (this.#text === undefined) {
      const { size } = statSync(this.path!)
      if (size > maxFileSize)
        throw new Error(
          `${this.name} has ${Math.ceil(size / 1e6)} MB. Only a HAR file may have more than ${maxFileSize / 1e6} MB.`,
        )
      this.#text = decodeText(readFileSync(this.path!))
    }
    return this.#text
  }

  /**
   * JSON or YAML, or what a module exports by default; `undefined` for other text.
   *
   * @throws Error for a file that is too large or too deep
   */
  get value(): unknown {
    if (this.isModule) return this.exports?.['default']
    this.#parsed ??= { value: attempt(() => parseText(this.text)) ?? (this.text, undefined) }
    if (nestsDeeperThan(this.#parsed.value, maxLevels))
      throw new Error(`${this.name} nests deeper than ${maxLevels} levels.`)
    return this.#parsed.value
  }

  /** Runs a module, which imports what those of the application do. */
  async load(root: string): Promise<void> {
    if (!this.isModule || this.path === undefined || this.exports) return
    // Without it, `sse` of MSW throws.
    const isWithout = !('EventSource' in globalThis)
    if (isWithout) Object.assign(globalThis, { EventSource: class {} })
    try {
      const [world, path] = [projectWorld(root), this.path]
      const jiti = createProjectJiti(createJiti, root, { world, resolver: createResolver(root, world) })
      const module = await jiti.import<Record<string, unknown>>(path)
      this.exports = 'default' in module ? module : { ...module, default: module }
    } catch (error) {
      this.problem = explain(error, root, this.path)
    } finally {
      if (isWithout) Reflect.deleteProperty(globalThis, 'EventSource')
    }
  }

  /**
   * A file that this one names. A file of others must not read `.env`, not even through a link.
   *
   * @param folder relative to this file's
   * @throws BrokenEntry
   */
  readNear(name: string, folder = '.'): Uint8Array {
    if (this.path === undefined)
      throw new BrokenEntry(`its body is in ${name}: import it on the command line`)
    const base = join(dirname(this.path), folder)
    const path = join(base, name.replaceAll('\\', '/'))
    if (!isReallyInside(base, path)) throw new BrokenEntry(`its body is in ${name}, outside of the folder`)
    if (/(?:^|[\\/])\.(?!\.?[\\/])/.test(name)) throw new BrokenEntry(`its body is in ${name}, a hidden file`)
    try {
      if (!statSync(path).isFile()) throw new BrokenEntry(`its body is in ${name}, which is not a file`)
      return readFileSync(path)
    } catch (error) {
      if (error instanceof BrokenEntry) throw error
      throw new BrokenEntry(`its body can't be read: ${reasonOf(error)}`)
    }
  }
}

function parseText(text: string): unknown {
  if (/^\s*[[{]/.test(text) && !flowStart.test(text)) return parseExactly(text)
  return [yamlStart, flowStart].some((start) => start.test(text.slice(0, headSize)))
    ? parse(text, { maxAliasCount: 10_000 })
    : undefined
}

/** Exports that MSW 3 has moved, by the error that shows the old import. */
const ofMsw3: [missing: RegExp, fix: string][] = [
  [/undefined \(reading '(?:query|mutation|operation|link)'\)/, 'MSW 3 has "graphql" in "msw/graphql"'],
  [/graphql\.(?:query|mutation|operation) is not a function/, 'MSW 3 has it on graphql.link("*/graphql")'],
]

function explain(error: unknown, folder: string, path: string): { where: string; reason: string } {
  const { message, ...place } = importFailed(error, folder, path)
  const reason = message.replace(/^The fixture file failed while it was imported: /, '').replace(/\.$/, '')
  const fix = ofMsw3.find(([missing]) => missing.test(reason))?.[1]
  return { where: formatPlace(place), reason: fix === undefined ? reason : `${reason}: ${fix}` }
}
