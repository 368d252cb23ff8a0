import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parse } from 'yaml'
import { reasonOf } from '../../core/values/thrown.ts'
import { isRecord, ownValue } from '../../core/values/values.ts'

/** A value with its file, from which its references start. */
export interface Part {
  value: unknown
  file: string
}

/** Files are read when a reference leads to them. */
export class Documents {
  readonly #files = new Map<string, unknown>()

  /** @throws Error when the file can't be read */
  read(path: string): Part {
    if (!this.#files.has(path)) this.#files.set(path, parseFile(path))
    return { value: this.#files.get(path), file: path }
  }

  /** @throws Error when the reference leads nowhere, or to itself */
  resolve(part: Part): Part {
    const seen = new Set<string>()
    let current = part
    for (;;) {
      const reference: unknown = isRecord(current.value) ? current.value['$ref'] : undefined
      if (typeof reference !== 'string') return current
      const id = this.idOf(current.file, reference)
      if (seen.has(id)) throw new Error(`the reference ${reference} leads to itself`)
      seen.add(id)
      current = this.follow(current.file, reference)
    }
  }

  /** The same for references to the same part. */
  idOf(file: string, reference: string): string {
    return placeOf(file, reference).join('#')
  }

  /** One step: the target may be a reference too. */
  follow(file: string, reference: string): Part {
    if (/^[a-z]+:\/\//i.test(reference))
      throw new Error(`the reference ${reference} leads out of this machine`)
    const [target, pointer] = placeOf(file, reference)
    if (!existsSync(target)) throw new Error(`the reference ${reference} leads to a file that is missing`)
    let { value } = this.read(target)
    for (const key of keysOfPointer(pointer)) {
      value = ownValue(value, key)
      if (value === undefined) throw new Error(`the reference ${reference} leads nowhere`)
    }
    return { value, file: target }
  }
}

function placeOf(file: string, reference: string): [file: string, pointer: string] {
  const [place = '', pointer = ''] = reference.split('#')
  return [place === '' ? file : resolve(dirname(file), place), pointer]
}

/** `/a~1b/0` or `#/a~1b/0` */
export function keysOfPointer(pointer: string): string[] {
  const keys = pointer.split('/').slice(1)
  return keys.map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
}

function parseFile(path: string): unknown {
  const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  try {
    return /^\s*[[{]/.test(text)
      ? (JSON.parse(text) as unknown)
      : (parse(text, { maxAliasCount: 10_000 }) as unknown)
  } catch (error) {
    throw new Error(`${path} can't be parsed: ${reasonOf(error)}`, { cause: error })
  }
}

/** @throws Error when it can't be read, or is something else */
export function openDocument(path: string, name: string) {
  const documents = new Documents()
  const { value, file } = documents.read(path)
  const { swagger, openapi } = isRecord(value) ? value : {}
  if (typeof swagger === 'string')
    throw new Error(
      `${name} is Swagger ${swagger}. Convert it to OpenAPI 3, for example with swagger2openapi.`,
    )
  const version = String(openapi)
  if (!isRecord(value) || !/^3\.\d/.test(version))
    throw new Error(`${name} is not an OpenAPI document of version 3: it has no "openapi: 3.x.y".`)
  return { document: { value, file }, documents, version }
}

export interface ApiPath {
  path: string
  /** Paths without a slash at the end: `/api/v3`, or an empty string. */
  servers: string[]
  item: Record<string, unknown>
  file: string
}

/** `broken` says why a reference leads nowhere. */
export function* listPaths(
  { value: { paths, servers }, file }: ReturnType<typeof openDocument>['document'],
  documents: Documents,
): Generator<ApiPath | { path: string; broken: string }> {
  for (const [path, item] of Object.entries(isRecord(paths) ? paths : {})) {
    try {
      const found = documents.resolve({ value: item, file })
      if (!isRecord(found.value)) continue
      const own = found.value['servers']
      yield {
        path,
        servers: serverPaths(Array.isArray(own) ? own : servers),
        item: found.value,
        file: found.file,
      }
    } catch (error) {
      yield { path, broken: reasonOf(error) }
    }
  }
}

/** `https://example.com/api/v3/` gives `/api/v3`. */
function serverPaths(servers: unknown): string[] {
  return (Array.isArray(servers) ? servers : []).map((server: unknown) => {
    if (!isRecord(server) || typeof server['url'] !== 'string') return ''
    const variables = isRecord(server['variables']) ? server['variables'] : {}
    const url = server['url'].replace(/\{([^}]*)\}/g, (whole, name: string) => {
      const value = ownValue(variables[name], 'default')
      return typeof value === 'string' ? value : whole
    })
    if (!URL.canParse(url, 'http://localhost')) return ''
    return new URL(url, 'http://localhost').pathname.replace(/\/$/, '')
  })
}
