/** Prints how many nanoseconds it takes to decide that no route matches, for each URL. Arguments: number of routes. */
import { fakeRequest, fakeResponse } from '../lib/fake-http.mjs'
import { median } from '../lib/stats.mjs'
import { loadRoutes } from './load-routes.mjs'

const urls = ['/src/main.js', '/node_modules/.vite/deps/react.js?v=1a2b3c4d', '/r/no/such/route']
const middleware = await loadRoutes('paths', Number(process.argv[2]))
const response = fakeResponse()
let passed = 0
const next = () => void passed++

const requests = urls.map((url) => fakeRequest({ method: 'GET', url }))
const rounds = 25
const calls = 100_000
const times = urls.map(() => [])
for (let round = -10; round < rounds; round++) {
  for (const [index, request] of requests.entries()) {
    const start = process.hrtime.bigint()
    for (let call = 0; call < calls; call++) middleware(request, response, next)
    const nanoseconds = Number(process.hrtime.bigint() - start) / calls
    if (round >= 0) times[index].push(nanoseconds)
  }
}
if (passed !== urls.length * calls * (rounds + 10)) throw new Error('a request was answered')
console.log(JSON.stringify(urls.map((url, index) => ({ url, nanoseconds: median(times[index]) }))))
