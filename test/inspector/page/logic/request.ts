import type { RequestDetails, RequestSummary } from '../../../../src/inspector/api/api.ts'

/** A request of the journal, with what a test is about. */
export function summary(given: Partial<RequestSummary> = {}): RequestSummary {
  return { id: 1, time: 0, method: 'GET', url: '/items', answeredBy: 'route', scenarios: [], ...given }
}

export function details(given: Partial<RequestDetails> = {}): RequestDetails {
  const decision = { answeredBy: 'route', scenarios: [], summary: '', candidates: [], more: 0 } as const
  return {
    ...summary(given),
    headers: {},
    decision: { ...decision, scenarios: [], candidates: [] },
    ...given,
  }
}
