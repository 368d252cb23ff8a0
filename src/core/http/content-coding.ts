import { headerText } from './raw-request.ts'
import type { RawRequest } from './raw-request.ts'

/** Clients apply one or two at most. Each one costs as much time as the body limit allows. */
const maxCodings = 4

/**
 * The codings of a body, in the order in which they are decoded; `undefined` when there are too many.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-8.4
 */
export function codingsOf(headers: RawRequest['headers']): string[] | undefined {
  const applied = headerText(headers, 'content-encoding')
  if (applied === undefined) return []
  const codings = applied
    .split(',', maxFields)
    .map((coding) =>
      coding
        .trim()
        .toLowerCase()
        .replace(/^x-gzip$/, 'gzip'),
    )
    .filter((coding) => coding !== '' && coding !== 'identity')
  return codings.length > maxCodings ? undefined : codings.reverse()
}

const maxFields = 100

/**
 * `deflate` means the zlib format (RFC 9110, section 8.4.1.2), but many clients send raw deflate. The first two bytes
 * show which one it is.
 */
export function isZlib(bytes: Uint8Array): boolean {
  const [method = 0, flags = 0] = bytes
  return (method & 0x0f) === 8 && ((method << 8) | flags) % 31 === 0
}
