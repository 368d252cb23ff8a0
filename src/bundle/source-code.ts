import { join } from 'node:path'
import type { FileChoice } from '../core/request-values/compile-values.ts'
import { isFileBody, type FileBody } from '../core/response/prepare-response.ts'
import { isPlainObject } from '../core/values/values.ts'
import { toPosix } from '../files/paths.ts'

/** Stands as it is inside a value. */
export class RawCode {
  constructor(readonly text: string) {}
}

/** @throws TypeError for a value without source, such as a function or an object of a class */
export function writeValue(value: unknown, path: string): string {
  if (value instanceof RawCode) return value.text
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  if (value === undefined || value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return writeText(value)
  if (Array.isArray(value))
    return `[${Array.from(value, (item, index) => writeValue(item, `${path}[${index}]`)).join(',')}]`
  if (!isPlainObject(value)) throw new TypeError(`${path} is ${describe(value)}`)
  const members = Object.entries(value).map(
    ([key, inner]) => `${writeKey(key)}:${writeValue(inner, `${path}.${key}`)}`,
  )
  return `{${members.join(',')}}`
}

/** Splits `</script`, since the code may end up inside a page. */
export function writeText(text: string): string {
  return JSON.stringify(text).replaceAll(/<\/(?=script)/gi, '<\\/')
}

export function writePath(path: string): string {
  return writeText(toPosix(path))
}

/** `__proto__: …` in an object literal would be its prototype. */
function writeKey(key: string): string {
  return key === '__proto__' ? '["__proto__"]' : writeText(key)
}

function describe(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  return typeof value === 'object'
    ? `an instance of ${value?.constructor?.name ?? 'a class'}`
    : `a ${typeof value}`
}

/** `statement` is what the expression needs, such as an import. */
export type WriteAssetUrl = (path: string, name: string) => { expression: string; statement?: string }

/**
 * Bytes of a body file inside the module. A larger one is an asset, so that pages don't load every file at their start.
 * Bundlers inline images of up to 4 or 8 KiB.
 */
const inlineLimit = 8_192

export class FileWriter {
  readonly statements: string[] = []
  readonly #names = new Map<string, string>()

  /** @param assetUrl without it, all files are part of the module */
  constructor(private readonly assetUrl: WriteAssetUrl | undefined) {}

  /** @param path of the file; of the folder around those of a choice */
  write(path: string, body: FileBody | FileChoice): RawCode {
    if (isFileBody(body)) return this.#writeOne(path, body, true)
    // A request chooses one at once, so that they can't be fetched first.
    const files = Object.entries(body.files).map(([name, one]) => [
      name,
      this.#writeOne(join(path, name), one, false),
    ])
    return new RawCode(writeValue({ $file: body.$file, files: Object.fromEntries(files) as object }, ''))
  }

  #writeOne(path: string, { bytes, contentType }: FileBody, mayBeAsset: boolean): RawCode {
    let name = this.#names.get(path)
    if (name === undefined) {
      name = `file${this.#names.size}`
      this.#names.set(path, name)
      const asset = mayBeAsset && bytes.length > inlineLimit ? this.assetUrl?.(path, `${name}Url`) : undefined
      if (asset?.statement !== undefined) this.statements.push(asset.statement)
      const call = asset ? `mockApi.assetFile(() => ${asset.expression}` : writeContent(bytes)
      this.statements.push(`const ${name} = /*#__PURE__*/ ${call}, ${writeText(contentType)})`)
    }
    return new RawCode(name)
  }
}

/** A call without its last argument. Text compresses better than base64, and can be read. */
function writeContent(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return `mockApi.textFile(${writeText(text)}`
  } catch {
    return `mockApi.binaryFile(${writeText(Buffer.from(bytes).toString('base64'))}`
  }
}
