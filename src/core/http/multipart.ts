/** One part of a multipart form. */
interface FormPart {
  name: string
  /** The name of a file; `undefined` for a field. */
  filename: string | undefined
  /** The content type of the part; empty when it has none. */
  type: string
  bytes: Uint8Array
}

const utf8 = new TextDecoder()
const oneByteEach = new TextDecoder('windows-1252') // has a character for each byte, so positions stay the same

/**
 * The parts of a body of type `multipart/form-data`; `undefined` when it is not one.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7578
 */
export function readMultipart(body: Uint8Array, contentType: string): FormPart[] | undefined {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) return undefined
  const text = `\r\n${oneByteEach.decode(body)}` // the first delimiter then begins like the others
  const delimiter = `\r\n--${boundary}`
  const parts: FormPart[] = []
  let start = text.indexOf(delimiter)
  while (start !== -1) {
    const after = start + delimiter.length
    if (text.startsWith('--', after)) return parts
    const headEnd = text.indexOf('\r\n\r\n', after)
    start = text.indexOf(delimiter, headEnd)
    if (headEnd === -1 || start === -1) return undefined
    const bytesAt = (from: number, to: number) => body.subarray(from - 2, to - 2)
    const part = readPart(
      utf8.decode(bytesAt(after, headEnd)),
      bytesAt(headEnd + 4, Math.max(start, headEnd + 4)),
    )
    if (part) parts.push(part)
  }
  return undefined // the last delimiter is missing
}

function readPart(head: string, bytes: Uint8Array): FormPart | undefined {
  const disposition = headerIn(head, 'content-disposition')
  const name = parameterOf(disposition, 'name')
  if (name === undefined) return undefined
  const type = headerIn(head, 'content-type').trim()
  return { name, filename: parameterOf(disposition, 'filename'), type, bytes }
}

function headerIn(head: string, name: string): string {
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':')
    if (line.slice(0, colon).trim().toLowerCase() === name) return line.slice(colon + 1)
  }
  return ''
}

/** A parameter. In quotes, only `"` and line breaks are percent-encoded (WHATWG HTML, section 4.10.21.8). */
function parameterOf(header: string, name: string): string | undefined {
  const match = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^;\\s]*))`, 'i').exec(header)
  const value = match?.[1] ?? match?.[2]
  return value?.replace(/%(?:22|0D|0A)/gi, (escape) => decodeURIComponent(escape))
}
