import { fileURLToPath } from 'node:url'
import { runWorker } from './lib/processes.mjs'
import { thousands } from './lib/stats.mjs'

const worker = fileURLToPath(new URL('workers/not-ours.mjs', import.meta.url))

/** Nanoseconds that the built middleware takes to decide that no route matches. */
export function calls({ log }) {
  const rows = [0, 1000, 100_000].flatMap((routes) => {
    log(`Not ours, per call: ${routes || 5} routes`)
    return runWorker(worker, [String(routes)]).map(({ url, nanoseconds }) => [
      thousands(routes || 5),
      `\`${url}\``,
      nanoseconds.toFixed(0),
    ])
  })
  return [{ title: 'The decision "not ours", in process', head: ['Routes', 'URL', 'ns a call'], rows }]
}
