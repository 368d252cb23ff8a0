/** Runs the decision "not ours" so often. Arguments: number of calls. */
import { fakeRequest, fakeResponse } from '../lib/fake-http.mjs'
import { loadRoutes } from './load-routes.mjs'

const middleware = await loadRoutes('paths', 0)
const request = fakeRequest({ method: 'GET', url: '/src/main.js' })
const response = fakeResponse()
let passed = 0
const next = () => void passed++
const decide = (calls) => {
  for (let call = 0; call < calls; call++) middleware(request, response, next)
}
for (let warmUp = 0; warmUp < 500; warmUp++) decide(1000)
decide(Number(process.argv[2]))
