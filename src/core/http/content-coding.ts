import { headerText } from './raw-request.ts'
import type { RawRequest } from './raw-request.ts'

/** More than one or two is nothing that a client does; each costs as much time as the body limit lets it. */
const maxCodings = 4

/**
 * The codings of a body, in the order in which they have to be undone; `undefined` when there are more of them than any
 * client applies.
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
 * `deflate` means the format of zlib (RFC 9110, section 8.4.1.2), but many a client has always sent the bare one. The
 * first two bytes of zlib's tell.
 */
export function isZlib(bytes: Uint8Array): boolean {
  const [method = 0, flags = 0] = bytes
  return (method & 0x0f) === 8 && ((method << 8) | flags) % 31 === 0
}
