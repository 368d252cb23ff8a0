/* What a soaked process must show, and whether it does. */

/** Requests until all code has warmed up. */
const warmUp = 20_000
/** Bytes that a request may leave behind. */
export const maxPerRequest = 10
/** Bytes that a flood of new documents and variables may leave behind: about twice the bounds of the caches. */
export const maxOfFlood = 32_000_000

/** Bytes that each request leaves behind: the slope of the least-squares line through the checkpoints. */
export function bytesPerRequest(checkpoints, read) {
  const later = checkpoints.filter(({ requests }) => requests >= warmUp)
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length
  const meanX = mean(later.map(({ requests }) => requests))
  const meanY = mean(later.map(read))
  const covariance = mean(later.map((point) => (point.requests - meanX) * (read(point) - meanY)))
  return covariance / mean(later.map(({ requests }) => (requests - meanX) ** 2))
}

export const memoryKinds = {
  heap: ({ heapUsed }) => heapUsed,
  external: ({ external }) => external,
}

export function heapOfFlood({ checkpoints, flooded }) {
  return flooded.heapUsed - checkpoints.at(-1).heapUsed
}

/** A sentence for each fault of a run. */
export function findFaults({ isJudged, checkpoints, flooded, closed, ended, problems }) {
  const faults = problems.map((problem) => `wrong answer: ${problem}`)
  const [first, ...later] = checkpoints
  for (const [name, read] of Object.entries(isJudged ? memoryKinds : {})) {
    const perRequest = bytesPerRequest(checkpoints, read)
    if (!(perRequest <= maxPerRequest))
      faults.push(`${name} grows by ${perRequest.toFixed(1)} bytes a request`)
  }
  if (isJudged && heapOfFlood({ checkpoints, flooded }) > maxOfFlood) faults.push('heap after the flood')
  for (const point of later) {
    for (const name of ['resources', 'handles', 'descriptors', 'sockets', 'listeners']) {
      const difference = differ(first[name], point[name])
      if (difference) faults.push(`${name} after ${point.requests} requests: ${difference}`)
    }
  }
  const left = differ(closed.handlesBefore, closed.handles)
  if (left) faults.push(`handles after close: ${left}`)
  if (ended === undefined)
    faults.push(`the process did not end by itself: ${JSON.stringify(closed.resources)}`)
  else if (ended !== 0) faults.push(`the process ended with ${ended}`)
  return [...faults, ...closed.troubles]
}

function differ(before, after) {
  const [a, b] = [before, after].map((value) => JSON.stringify(value))
  return a === b ? undefined : `${b}, at first ${a}`
}
