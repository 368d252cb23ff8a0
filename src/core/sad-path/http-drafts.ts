import { isRecord } from '../values/values.ts'
import { type Answered, type Draft, draft, type SadChange } from './sad-path.ts'

/** Sorted: the most usual first. */
const statuses = new Map([
  [500, 'Internal Server Error'],
  [401, 'Unauthorized'],
  [404, 'Not Found'],
  [503, 'Service Unavailable'],
  [403, 'Forbidden'],
  [429, 'Too Many Requests'],
  [422, 'Unprocessable Content'],
  [400, 'Bad Request'],
  [409, 'Conflict'],
  [502, 'Bad Gateway'],
])
/** Statuses about a path, which GraphQL does not have. */
const ofPaths = [404, 409, 422]

/** Delay in milliseconds. */
const late = 3000

export function httpDrafts(answered: Answered): Draft[] {
  const codes = [...statuses].filter(
    ([code]) => code !== answered.status && !(answered.graphql && ofPaths.includes(code)),
  )
  const hasBody = answered.json !== undefined
  return [
    ...codes.map(([code, message]): Draft => ({
      kind: 'status',
      name: String(code),
      title: `the answer is ${code} ${message}`,
      get change() {
        return failWith(answered, code)
      },
    })),
    ...(hasBody
      ? [
          draft('body', 'html', 'the answer is a page in HTML instead of JSON', html(200, 'Welcome')),
          draft('body', 'malformed', 'the answer is malformed JSON', { fault: 'malformed' }),
          draft('body', 'truncated', 'the answer ends in the middle', { fault: 'truncated' }),
          draft('body', 'none', 'the answer is 204 No Content', { status: 204, body: undefined }),
        ]
      : []),
    draft('slow', 'late', 'the answer comes 3 s later', { delay: late }),
    draft('slow', 'out-of-order', 'the answer comes after that to the next request', {
      delay: late,
      isAlternating: true,
    }),
    draft('connection', 'reset', 'the connection is reset', { fault: 'reset' }),
    draft('connection', 'silent', 'there is never an answer', { fault: 'silent' }),
  ]
}

export function failWith({ graphql, errorBody }: Answered, status: number): SadChange {
  const message = statuses.get(status)!
  const example = errorBody(status)
  const headers = status === 429 ? { 'retry-after': '1' } : {}
  if (example !== undefined) return { status, headers, body: withStatus(example, status) }
  if (status === 502) return html(status, `${status} ${message}`)
  const code = message.toUpperCase().replaceAll(' ', '_')
  return {
    status,
    headers,
    body: graphql
      ? { errors: [{ message, extensions: { code } }] }
      : { error: { code: code.toLowerCase(), message } },
  }
}

/** An error that has its own status in the body says the new one. */
function withStatus(body: unknown, status: number): unknown {
  if (!isRecord(body)) return body
  const entries = Object.entries(body).map(([key, value]) => [
    key,
    isRecord(value)
      ? withStatus(value, status)
      : /^(?:status|status_?code|code)$/i.test(key) && Number.isInteger(value)
        ? status
        : value,
  ])
  return Object.fromEntries(entries)
}

function html(status: number, title: string): SadChange {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: `<!doctype html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`,
  }
}
