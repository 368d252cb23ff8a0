import { firstValues, headerText, type RawRequest } from './request.ts'

export type ParsedBody = { value: unknown; malformed?: never } | { malformed: string }

const utf8 = new TextDecoder() // strips a byte order mark

/** The body as text; `undefined` when there is none. */
export function bodyText(raw: RawRequest): string | undefined {
  return raw.body?.length ? utf8.decode(raw.body) : undefined
}

/**
 * The body as a value: JSON, a form's fields, or text.
 *
 * What looks like JSON is read as JSON whatever its content type says, because `curl -d '{…}'` announces a form and
 * many a hand-written `fetch` announces nothing.
 */
export function parseBody(raw: RawRequest): ParsedBody {
  const text = bodyText(raw)
  if (text === undefined || text.trim() === '') return { value: undefined }
  const type = mediaType(raw)
  if (isJson(type)) return parseJson(text)
  if (/^\s*[[{]/.test(text)) {
    const json = parseJson(text)
    if (json.malformed === undefined || !type.startsWith('text/')) return json
  }
  if (type === 'application/x-www-form-urlencoded') return { value: firstValues(text) }
  return { value: text }
}

/** The media type of the request's body in lower case, without parameters; empty when the request names none. */
export function mediaType(raw: RawRequest): string {
  const type = headerText(raw.headers, 'content-type') ?? ''
  if (type === 'application/json') return type // nearly every request
  return type.split(';', 1)[0]!.trim().toLowerCase()
}

export function parseJson(text: string): ParsedBody {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    return { malformed: `${(error as Error).message} (the body is ${text.length} characters long)` }
  }
}

function isJson(type: string): boolean {
  return type === 'application/json' || type.endsWith('+json')
}
