/** Decides many times that no route matches. Arguments: number of calls. */
import { fakeRequest, fakeResponse } from '../lib/fake-http.mjs'
import { loadRoutes } from './load-routes.mjs'

const middleware = await loadRoutes('paths', 0)
const request = fakeRequest({ method: 'GET', url: '/src/main.js' })
const response = fakeResponse()
let passed = 0
const next = () => void passed++
const decide = () => {
  for (let call = 0; call < 1000; call++) middleware(request, response, next)
}
// Short runs of one function, so that its optimised code is in place before the counted part and stays.
for (let warmUp = 0; warmUp < 1500; warmUp++) decide()
for (let calls = Number(process.argv[2]); calls > 0; calls -= 1000) decide()
