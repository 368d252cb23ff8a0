import { fileURLToPath } from 'node:url'
import { load } from './lib/load.mjs'
import { runWorker, startServer } from './lib/processes.mjs'
import { get, post } from './lib/requests.mjs'
import { routeSets } from './lib/route-sets.mjs'
import { median, spread, thousands } from './lib/stats.mjs'

const path = (name) => fileURLToPath(new URL(`workers/${name}.mjs`, import.meta.url))

/** The cost of a request with 10 to 100 000 routes, and the time and memory that loading them takes. */
export async function scale({ quick, log }) {
  const counts = quick ? [10, 100_000] : [10, 1000, 10_000, 100_000]
  return [inProcess(counts, log), await overHttp(counts, quick, log), loading(quick, log)]
}

function inProcess(counts, log) {
  const rows = Object.entries(routeSets).flatMap(([name, { title }]) => {
    let first
    return counts.map((count) => {
      log(`Scale, in process: ${title}, ${count} routes`)
      const { milliseconds, heapPerRoute, nanoseconds } = runWorker(
        path('scale'),
        [name, String(count), 'json'],
        ['--expose-gc'],
      )
      first ??= nanoseconds
      return [
        title,
        thousands(count),
        thousands(nanoseconds),
        (nanoseconds / first).toFixed(2),
        thousands(milliseconds),
        count < 1000 ? '' : thousands(heapPerRoute), // with few routes, most of the heap is something else
      ]
    })
  })
  const head = ['Routes', 'Count', 'ns a request', 'Relative to 10', 'Load ms (JSON)', 'Heap bytes a route']
  return { title: 'Scale, in process', head, rows }
}

async function overHttp(counts, quick, log) {
  const rows = []
  const limits = quick ? { rounds: 5, milliseconds: 120 } : { rounds: 11, milliseconds: 250 }
  const names = quick ? ['operationName', 'paths'] : Object.keys(routeSets)
  for (const name of names) {
    const { title } = routeSets[name]
    log(`Scale, over HTTP: ${title}`)
    const subjects = []
    for (const count of counts) {
      const bytes = overTheWire(routeSets[name].request(count - 1))
      const verify = (body) => {
        if (!body.includes(`"route":${count - 1}}`)) throw new Error(`wrong answer: ${body}`)
      }
      const server = await startServer(path('scale-server'), {
        args: [name, String(count)],
        probe: { name, bytes, verify },
      })
      subjects.push({ server, bytes })
    }
    const runs = await measure(subjects, limits)
    for (const { server } of subjects) await server.stop()
    counts.forEach((count, index) => {
      const relative = runs[index].map(({ cpu }, round) => cpu / runs[0][round].cpu)
      const perSecond = median(runs[index].map((run) => run.perSecond))
      const cpu = median(runs[index].map((run) => run.cpu))
      rows.push([title, thousands(count), thousands(perSecond), cpu.toFixed(1), spread(relative, 2)])
    })
  }
  const head = ['Routes', 'Count', 'Requests/s', 'CPU µs a request', 'Relative to 10 (quartiles)']
  return { title: 'Scale, over HTTP', head, rows }
}

async function measure(subjects, { rounds, milliseconds }) {
  const runs = subjects.map(() => [])
  for (let round = -1; round < rounds; round++) {
    for (const [index, { server, bytes }] of subjects.entries()) {
      const before = await server.cpu()
      const { perSecond, count } = await load(server.port, bytes, {
        milliseconds: milliseconds * (round < 0 ? 3 : 1),
      })
      if (round >= 0) runs[index].push({ perSecond, cpu: ((await server.cpu()) - before) / count })
    }
  }
  return runs
}

function overTheWire({ method, url, headers = {}, body }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return method === 'GET' ? get(url) : post(url, body, lines.join(''))
}

/** Time to load, by format. */
function loading(quick, log) {
  const rows = ['json', 'yaml'].flatMap((format) =>
    (quick ? [10_000] : [10_000, 100_000]).map((count) => {
      log(`Loading: ${count} routes from ${format}`)
      const worker = runWorker(path('scale'), ['page', String(count), format], ['--expose-gc'])
      return [format, thousands(count), thousands(worker.milliseconds), thousands(worker.heapPerRoute)]
    }),
  )
  return { title: 'Loading, one file', head: ['Format', 'Routes', 'ms', 'Heap bytes a route'], rows }
}
