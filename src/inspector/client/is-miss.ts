import type { RequestSummary } from '../api.ts'

/** No route matched, or none has the path and nothing else has answered it. */
export function isMiss({ answeredBy, status, isUnanswered }: RequestSummary): boolean {
  return answeredBy === 'nothing' || !!isUnanswered || (answeredBy === 'passed-on' && status === 404)
}
