import { lookup } from 'mrmime'

const fileKey = Symbol.for('unplugin-mock-api.file')

/** The content of a file. Unlike other bytes, it has a content type, and clients can ask for a range of it. */
export class FileBody {
  readonly [fileKey] = true

  constructor(
    readonly bytes: Uint8Array,
    readonly contentType: string,
  ) {}
}

/** Also of another copy of this package: a bundle may have two. */
export function isFileBody(body: unknown): body is FileBody {
  return typeof body === 'object' && body !== null && (body as Partial<FileBody>)[fileKey] === true
}

const textTypes = /^text\/|[/+](?:json|xml)$|javascript$/

export function contentTypeOf(file: string): string {
  return textTypeOf(file) ?? lookup(file) ?? 'application/octet-stream'
}

/** `undefined` where the extension names no type, or one of bytes. */
export function textTypeOf(path: string): string | undefined {
  const type = lookup(path)
  return type && textTypes.test(type) ? `${type}; charset=utf-8` : undefined
}
