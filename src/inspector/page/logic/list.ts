import type { RequestSummary } from '../../api/api.ts'

/** A line of the list: the newest of equal requests that follow one another. */
export interface RequestRow {
  request: RequestSummary
  count: number
}

/** @param isAlone whether a request keeps a line of its own: it is selected, or pinned */
export function groupRepeats(
  requests: readonly RequestSummary[],
  isAlone: (id: number) => boolean,
): RequestRow[] {
  const rows: RequestRow[] = []
  let last = ''
  for (const request of requests) {
    const { id, method, url, operationName, variables, status, answeredBy, route, isAborted, isServer } =
      request
    const what = [method, url, operationName, variables, status, answeredBy, route?.id, isAborted, isServer]
    const text = isAlone(id) ? `${id}` : JSON.stringify(what)
    if (text === last) rows.at(-1)!.count++
    else rows.push({ request, count: 1 })
    last = text
  }
  return rows
}

/** The request `step` further in the list; the first or last where there is none. */
export function neighbour(
  rows: readonly RequestRow[],
  selected: number | undefined,
  step: number,
): RequestSummary | undefined {
  const at = rows.findIndex(({ request }) => request.id === selected)
  if (at === -1) return (step > 0 ? rows[0] : rows.at(-1))?.request
  return rows[Math.min(Math.max(at + step, 0), rows.length - 1)]?.request
}

/** Percent of the time that a burst of requests took, and of it the delay that somebody asked for. */
export interface Bar {
  left: number
  width: number
  delay: number
}

/** Milliseconds without a request after which another burst begins. */
const pause = 1000

/** Requests of one burst share a scale, so that an hour between two does not make all bars disappear. */
export function waterfall(rows: readonly RequestRow[], now: number): Map<number, Bar> {
  const endOf = ({ time, duration }: RequestSummary) => (duration === undefined ? now : time + duration)
  const bars = new Map<number, Bar>()
  let burst: RequestSummary[] = []
  let [start, end] = [0, 0]
  const draw = () => {
    const percent = (time: number) => (100 * time) / Math.max(end - start, 1)
    for (const request of burst) {
      const took = endOf(request) - request.time
      const delay = took === 0 ? 0 : Math.min(100, (100 * (request.delay ?? 0)) / took)
      bars.set(request.id, { left: percent(request.time - start), width: percent(took), delay })
    }
  }
  for (const { request } of rows.toReversed()) {
    if (burst.length === 0 || request.time > end + pause) {
      draw()
      burst = []
      start = end = request.time
    }
    burst.push(request)
    end = Math.max(end, endOf(request))
  }
  draw()
  return bars
}
