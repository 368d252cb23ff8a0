const fileKey = Symbol.for('unplugin-mock-api.file')

/** The content of a file as a body. Unlike other bytes, it has a content type, and clients can ask for a range of it. */
export class FileBody {
  readonly [fileKey] = true

  constructor(
    readonly bytes: Uint8Array,
    readonly contentType: string,
  ) {}
}

/** Whether a body is a `FileBody`, also one of another copy of this package: a bundle may have two. */
export function isFileBody(body: unknown): body is FileBody {
  return typeof body === 'object' && body !== null && (body as Partial<FileBody>)[fileKey] === true
}
