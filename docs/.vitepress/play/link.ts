import type { TriedRequest } from '../../../src/inspector/page/logic/send.ts'

/** What a link keeps. */
export interface Kept {
  file: string
  text: string
  requests: NamedRequest[]
}

export interface NamedRequest extends TriedRequest {
  name: string
}

export function isJson(file: string): boolean {
  return /\.json\w*$/.test(file)
}

/** The hash of a link: the page reads it, and no server sees it. */
export async function writeHash(kept: Kept): Promise<string> {
  const bytes = await throughStream(
    new CompressionStream('deflate-raw'),
    utf8.encode(JSON.stringify(checked(kept))),
  )
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  return hashOf(text)
}

/** @param base64 of the compressed JSON */
export function hashOf(base64: string): string {
  return `#play=${base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`
}

/** `undefined` for a hash that no page has written. */
export async function readHash(hash: string): Promise<Kept | undefined> {
  const [, text] = /^#play=([\w-]+)$/.exec(hash) ?? []
  if (text === undefined) return undefined
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    )
    const json = new TextDecoder().decode(await throughStream(new DecompressionStream('deflate-raw'), bytes))
    return checked(JSON.parse(json))
  } catch {
    return undefined
  }
}

/** A link is written by others: what is no text becomes an empty one. */
export function checked(given: unknown): Kept {
  const { file, text, requests } = given as { [Key in keyof Kept]?: unknown }
  const textOf = (value: unknown, otherwise = '') => (typeof value === 'string' ? value : otherwise)
  const list = Array.isArray(requests) ? (requests as { [Key in keyof NamedRequest]?: unknown }[]) : []
  return {
    file: /\.(?:ya?ml|json[c5]?)$/.test(textOf(file)) ? textOf(file) : 'fixtures/mock.yaml',
    text: textOf(text),
    requests: list.map(({ name, method, url, headers, body }) => ({
      name: textOf(name),
      method: textOf(method, 'GET'),
      url: textOf(url, '/'),
      headers: textOf(headers),
      body: textOf(body),
    })),
  }
}

const utf8 = new TextEncoder()

/** The most that a link unpacks to: one of a kilobyte could fill the memory. */
const maxUnpacked = 2_000_000

async function throughStream(
  change: CompressionStream | DecompressionStream,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  const reader = new Blob([bytes]).stream().pipeThrough(change).getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    chunks.push(read.value)
    size += read.value.length
    if (size > maxUnpacked) throw new Error('The link is too large.')
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}
