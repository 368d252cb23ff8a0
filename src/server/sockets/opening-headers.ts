import type { Headers } from '../../core/http/raw-request.ts'
import { isRecord } from '../../core/values/values.ts'

/** Headers with the texts of what a client sends first, since browsers can't set headers of a WebSocket. */
export function withTextsOf(opening: Headers, params: unknown): Headers {
  const given = isRecord(params) ? { ...params, ...(isRecord(params['headers']) && params['headers']) } : {}
  const named = Object.entries(given).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name.toLowerCase(), value]] : [],
  )
  return { ...opening, ...(Object.fromEntries(named) as Headers) }
}
