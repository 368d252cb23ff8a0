import { fileURLToPath } from 'node:url'
import { runWorker } from './lib/processes.mjs'

const worker = fileURLToPath(new URL('workers/collections.mjs', import.meta.url))

/** What requests to a collection of 100 000 items cost, and the memory that it takes. */
export function collections({ log }) {
  log('Collections: 100 000 items')
  const { heap, requests } = runWorker(worker, [], ['--expose-gc'])
  const rows = requests.map(({ request, limit, milliseconds }) => [
    `\`${request}\``,
    milliseconds.toFixed(2),
    String(limit),
  ])
  rows.push(['Memory of the items, MB', heap.toFixed(0), '64'])
  return [{ title: 'Collections, 100 000 items', head: ['Request', 'ms', 'Limit'], rows }]
}
