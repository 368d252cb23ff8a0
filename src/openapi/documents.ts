import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parse } from 'yaml'
import { getOrMake } from '../core/values/collections.ts'
import { reasonOf } from '../core/values/thrown.ts'
import { isRecord, keysOfPointer, ownValue, setOwn } from '../core/values/values.ts'
import { decodeText } from '../files/read-whole-file.ts'
import { isReallyInside } from '../files/links.ts'
import { freeName, literalSegment } from '../writer/endpoint-path.ts'
import { testInTime, partsOfTime } from './pattern.ts'
import { isSwagger, upgraded } from './swagger.ts'

/** A value with its file, from which its references start. */
export interface DocumentPart {
  value: unknown
  file: string
}

/**
 * The work for one document: values that are made, schemas that are followed, and steps of comparing both. A few lines can
 * ask for billions. It is counted, so that it ends at the same place on every machine. Each character of a file adds some.
 */
const maxParts = 40_000_000
const partsOfCharacter = 4

/** Milliseconds after which a pattern is not tested. */
const longestTest = 250

/** A value that is too large, or a comparison that takes too many steps. */
export class TooManyParts extends Error {}

/** Files are read when a reference leads to them. A document of others must not name `~/.ssh/config`, nor a link to it. */
export class Documents {
  /** Patterns that took too long for one text. They are not tested again. */
  readonly slowPatterns = new Set<string>()
  readonly #files = new Map<string, unknown>()
  readonly #targets = new Map<string, DocumentPart>()
  readonly #root: string
  #parts: number
  /** Whether the first document is one of Swagger 2.0: so are the parts in other files. */
  #isSwagger = false

  /** @param folder of the document. References lead to ordinary files below it, and in the repository around it. */
  constructor(folder: string, parts = maxParts) {
    this.#parts = parts
    this.#root = repositoryOf(folder) ?? folder
  }

  get paths(): string[] {
    return [...this.#files.keys()]
  }

  /** @throws Error when the parts of all values are too many */
  spend(parts: number): void {
    this.#parts -= parts
    if (this.#parts < 0)
      throw new Error(
        'the values of the whole document have too many parts: give its large schemas an example, or split it',
      )
  }

  get isSpent(): boolean {
    return this.#parts < 0
  }

  /** Counts the parts of one value too. */
  counter(most: number, price: number, why: string): (parts: number) => void {
    let left = most
    return (parts) => {
      this.spend(price * Math.min(parts, left + 1)) // what is too large is not made
      left -= parts
      if (left < 0) throw new TooManyParts(why)
    }
  }

  /** `undefined` if it takes too long. */
  inTime<T>(test: () => T, milliseconds: number): T | undefined {
    const result = testInTime(test, milliseconds)
    if (result === undefined) this.spend(partsOfTime * milliseconds)
    return result
  }

  isMatch(pattern: string, text: string, isWhole = false): boolean {
    if (this.slowPatterns.has(pattern)) return false
    const tested = new RegExp(isWhole ? `^(?:${pattern})$` : pattern, 'u')
    const isMatch = this.inTime(() => tested.test(text), longestTest)
    if (isMatch === undefined) this.slowPatterns.add(pattern)
    return isMatch === true
  }

  /** @throws Error when the file can't be read */
  read(path: string): DocumentPart {
    if (!this.#files.has(path)) this.add(path, decodeText(readFileSync(path)))
    return { value: this.#files.get(path), file: path }
  }

  /** @throws Error when the text can't be parsed */
  add(path: string, text: string): void {
    this.#parts += partsOfCharacter * text.length
    const value = parseFile(path, text)
    this.#isSwagger ||= isSwagger(value)
    this.#files.set(path, this.#isSwagger ? upgraded(value) : value)
  }

  /** @throws Error when the reference leads nowhere, or to itself */
  resolve(part: DocumentPart): DocumentPart {
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

  /** Id that is the same for all references to the same part. */
  idOf(file: string, reference: string): string {
    return splitReference(file, reference).join('#')
  }

  /** One step: the target may be a reference too. */
  follow(file: string, reference: string): DocumentPart {
    this.spend(1)
    return getOrMake(this.#targets, this.idOf(file, reference), () => this.#find(file, reference))
  }

  #find(file: string, reference: string): DocumentPart {
    if (/^[a-z]+:\/\//i.test(reference))
      throw new Error(`the reference ${reference} leads out of this machine`)
    const [target, pointer] = splitReference(file, reference)
    if (target !== file && !isReallyInside(this.#root, target))
      throw new Error(`the reference ${reference} leads out of the project`)
    if (target !== file && /(?:^|[\\/])\./.test(relative(this.#root, target)))
      throw new Error(`the reference ${reference} leads to a hidden file`)
    if (!existsSync(target)) throw new Error(`the reference ${reference} leads to a file that is missing`)
    let { value } = this.read(target)
    for (const key of keysOfPointer(pointer)) {
      value = ownValue(value, key)
      if (value === undefined) throw new Error(`the reference ${reference} leads nowhere`)
    }
    return { value, file: target }
  }
}

function repositoryOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder
  return dirname(folder) === folder ? undefined : repositoryOf(dirname(folder))
}

function splitReference(file: string, reference: string): [file: string, pointer: string] {
  const [place = '', pointer = ''] = reference.split('#')
  return [place === '' ? file : resolve(dirname(file), place), pointer]
}

/** The fragment of a URL, which is encoded: `#/a~1b%20c/0` */
export function keysOfReference(fragment: string): string[] {
  return keysOfPointer(fragment).map((key) => decodeURIComponent(key))
}

function parseFile(path: string, text: string): unknown {
  try {
    return /^\s*[[{]/.test(text)
      ? (JSON.parse(text) as unknown)
      : (parse(text, { maxAliasCount: 10_000 }) as unknown)
  } catch (error) {
    throw new Error(`${path} can't be parsed: ${reasonOf(error)}`, { cause: error })
  }
}

/** The type of a response's JSON, and what is said of it. */
export function jsonMedia(response: unknown): [type: string, media: unknown] | undefined {
  const content = ownValue(response, 'content')
  return isRecord(content) ? Object.entries(content).find(([type]) => /[/+]json\b/i.test(type)) : undefined
}

/** @throws Error when it can't be read, or is something else */
export function openDocument(path: string, name: string, parts?: number, text?: string) {
  const documents = new Documents(dirname(path), parts)
  if (text !== undefined) documents.add(path, text)
  const { value, file } = documents.read(path)
  const { swagger, openapi } = isRecord(value) ? value : {}
  if (swagger !== undefined && openapi === undefined)
    throw new Error(`${name} is Swagger ${String(swagger)}. Convert it to Swagger 2.0 or OpenAPI 3.`)
  const version = String(openapi)
  if (!isRecord(value) || !/^3\.\d/.test(version))
    throw new Error(`${name} is not an OpenAPI document of version 3: it has no "openapi: 3.x.y".`)
  return { document: { value, file }, documents, version }
}

export interface ApiOperation {
  /** `GET /orders/{id}` */
  endpoint: string
  method: string
  /** Paths as routes have them, for each server, and without one: `/api/v3/orders/:id`, `/orders/:id`. */
  paths: string[]
  /** Origin of each server; empty for a server without one. */
  origins: string[]
  /** Conditions after the path: `POST /#X-Target=Create` selects by a header, `GET /a?kind=b` by a query. */
  when: Record<'query' | 'headers', Record<string, unknown>>
  operation: Record<string, unknown>
  /** Includes those of the path. */
  parameters: { value: Record<string, unknown>; file: string }[]
  file: string
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'options'] as const

/** `broken` says why a reference leads nowhere. */
export function* listOperations(
  { value: document, file: name }: ReturnType<typeof openDocument>['document'],
  documents: Documents,
): Generator<ApiOperation | { endpoint: string; broken: string }> {
  const paths = documents.resolve({ value: document['paths'], file: name })
  for (const [template, value] of Object.entries(isRecord(paths.value) ? paths.value : {})) {
    let endpoint = template
    try {
      const { value: item, file } = documents.resolve({ value, file: paths.file })
      if (!isRecord(item)) continue
      const [, path = '', rest = ''] = /^((?:\{[^}]*\}|[^?#])*)(.*)$/s.exec(template)!
      for (const method of methods) {
        const { value: operation, file: own } = documents.resolve({ value: item[method], file })
        if (!isRecord(operation)) continue
        endpoint = `${method.toUpperCase()} ${template}`
        const parameters = [item, operation].flatMap(({ parameters: list }, index) =>
          (Array.isArray(list) ? (list as unknown[]) : []).flatMap((given) => {
            const { value, file: of } = documents.resolve({ value: given, file: index === 0 ? file : own })
            return isRecord(value) ? { value, file: of } : []
          }),
        )
        const servers = readServers(operation['servers'] ?? item['servers'] ?? document['servers'])
        const paths = [...servers, noServer].map(({ base }) => routePath(`${base}${path}`))
        const origins = servers.map(({ origin }) => origin)
        const found = { endpoint, method: method.toUpperCase(), operation, parameters, file: own }
        yield { ...found, paths, origins, when: conditionsOf(rest, parameters) }
      }
    } catch (error) {
      yield { endpoint, broken: reasonOf(error) }
    }
  }
}

/** AWS writes operations of one path as `/#Action=Create`; others list a query in the path. */
function conditionsOf(text: string, parameters: ApiOperation['parameters']): ApiOperation['when'] {
  const when: ApiOperation['when'] = { query: {}, headers: {} }
  for (const pair of text.split(/[?#&]/).filter(Boolean)) {
    const [name = '', ...values] = pair.split('=')
    const value = values.join('=')
    const isSame = (one: unknown) => typeof one === 'string' && one.toLowerCase() === name.toLowerCase()
    const parameter = parameters.find((one) => isSame(one.value['name']))
    if (/^\{.*\}$/.test(value) || (value === '' && parameter?.value['required'] !== true)) continue
    const from = parameter?.value['in'] === 'header' ? when.headers : when.query
    setOwn(from, name, value === '' ? { $exists: true } : value)
  }
  return when
}

/** `/orders/{order-id}.json` gives `/orders/:orderId.json`. */
function routePath(template: string): string {
  const names = new Map<string, number>()
  return template
    .replace(/(?!^)\/+$/, '')
    .split(/(\{[^}/]*\}|\/)/)
    .map((text) =>
      /^\{.*\}$/.test(text)
        ? `:${freeName(parameterName(text), names)}`
        : text === '/'
          ? text
          : literalSegment(text),
    )
    .join('')
}

function parameterName(braced: string): string {
  const name = braced.slice(1, -1).replace(/[^A-Za-z\d_]+(\w?)/g, (_, letter: string) => letter.toUpperCase())
  return /^[A-Za-z_]/.test(name) ? name : `p${name}`
}

const noServer = { origin: '', base: '' }
/** Each makes a path of each operation. Published documents have a dozen at most. */
const maxServers = 100

/** `https://example.com/api/v3/` gives `https://example.com` and `/api/v3`. */
export function readServers(servers: unknown): (typeof noServer)[] {
  const list = Array.isArray(servers) && servers.length > 0 ? (servers as unknown[]) : [{}]
  return list.slice(0, maxServers).map((server) => {
    if (!isRecord(server) || typeof server['url'] !== 'string') return noServer
    const variables = isRecord(server['variables']) ? server['variables'] : {}
    const url = server['url'].replace(/\{([^}]*)\}/g, (whole, name: string) => {
      const value = ownValue(variables[name], 'default')
      return typeof value === 'string' ? value : whole
    })
    if (!URL.canParse(url, 'http://localhost')) return noServer
    const { origin, pathname } = new URL(url, 'http://localhost')
    return { origin: /^https?:/i.test(url) ? origin : '', base: pathname.replace(/\/$/, '') }
  })
}
