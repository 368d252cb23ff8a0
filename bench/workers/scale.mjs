/**
 * Loads a fixture file of many routes and prints the time that took, the heap it uses, and the cost of a request.
 * Arguments: route set, number of routes, format (json or yaml). Needs --expose-gc.
 */
import { createMiddleware } from 'unplugin-mock-api/connect'
import { stringify } from 'yaml'
import { answerOf, fakeRequest, fakeResponse } from '../lib/fake-http.mjs'
import { makeProject } from '../lib/project.mjs'
import { routesOf, routeSets } from '../lib/route-sets.mjs'
import { median } from '../lib/stats.mjs'

const [set, count, format] = [process.argv[2], Number(process.argv[3]), process.argv[4]]
const write = { json: (routes) => JSON.stringify(routes), yaml: (routes) => stringify(routes) }[format]
const load = async (routes) => {
  const root = makeProject({ [`fixtures/routes.${format}`]: write(routesOf(set, routes)) })
  collect()
  const before = process.memoryUsage().heapUsed
  const start = performance.now()
  const middleware = createMiddleware({ root, watch: false, logLevel: 'error' })
  await middleware.ready
  const milliseconds = performance.now() - start
  collect()
  return { middleware, milliseconds, heap: process.memoryUsage().heapUsed - before }
}

await load(1) // so that the code is already loaded
const loaded = await load(count)
const last = routeSets[set].request(count - 1)
// More than the middleware remembers, so that it finds the route each time.
const requests = Array.from({ length: 100 }, (_, number) =>
  fakeRequest({ ...last, headers: { ...last.headers, 'x-number': String(number) } }),
)
for (const request of requests) {
  const sent = await answerOf(loaded.middleware, request)
  if (!sent.includes(`"route":${count - 1}}`)) throw new Error(`wrong answer: ${sent}`)
}
const next = () => {
  throw new Error('the request was passed on')
}

const times = []
const calls = 500
for (let round = -20; round < 100; round++) {
  const start = process.hrtime.bigint()
  for (let call = 0; call < calls; call++)
    loaded.middleware(requests[call % requests.length], fakeResponse(), next)
  if (round >= 0) times.push(Number(process.hrtime.bigint() - start) / calls)
}
console.log(
  JSON.stringify({
    milliseconds: loaded.milliseconds,
    heapPerRoute: loaded.heap / count,
    nanoseconds: median(times),
  }),
)

function collect() {
  for (let time = 0; time < 4; time++) globalThis.gc()
}
