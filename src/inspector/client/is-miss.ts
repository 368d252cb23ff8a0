import type { RequestSummary } from '../api/api.ts'

/** No route matched, or none has the path and nothing else has answered it; and no route would answer it now. */
export function isMiss({ answeredBy, status, isUnanswered, isMended }: RequestSummary): boolean {
  if (isMended) return false
  return answeredBy === 'nothing' || !!isUnanswered || (answeredBy === 'passed-on' && status === 404)
}
