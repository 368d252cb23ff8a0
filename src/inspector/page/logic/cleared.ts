import type { RequestSummary } from '../../api.ts'

const key = 'mock-api-inspector:cleared'

/** Up to which request the list was cleared, so that a reload of the page does not bring them back. */
export const cleared = {
  set(requests: readonly RequestSummary[]): void {
    const newest = Math.max(...requests.map(({ id }) => id))
    if (newest > 0) sessionStorage.setItem(key, String(newest))
  },
  hide(requests: RequestSummary[]): RequestSummary[] {
    return hideUpTo(requests, Number(sessionStorage.getItem(key) ?? 0))
  },
}

/** Removes the requests up to an id. After a restart, the server counts from 1 again, and all requests are kept. */
export function hideUpTo(requests: RequestSummary[], last: number): RequestSummary[] {
  const isOldServer = requests.some(({ id }) => id >= last)
  return isOldServer ? requests.filter(({ id }) => id > last) : requests
}
