import { fileURLToPath } from 'node:url'
import type { Fixture, FixtureRequest } from '../../../src/fixture.ts'

const deepPath = Array.from({ length: 500 }, () => 'a').join('.')

/** Responds with the request as the package has parsed it. JSON has no bytes. */
const echo = ({ body, query, cookies, params, headers }: FixtureRequest) => ({
  body: {
    read: body instanceof Uint8Array ? [...body] : body,
    nothing: body === undefined,
    query,
    cookies,
    params,
    type: headers['content-type'],
  },
})

const ofConnection = { connection: 'close', 'keep-alive': 'timeout=5', upgrade: 'x', te: 'a', 'x-route': 'a' }

/** The routes that the rows send requests to. */
export const routes: Fixture = [
  { path: '/plain', response: { body: 'plain' } },
  { path: '/kept-alive', response: { body: 'a', headers: ofConnection } },
  {
    path: '/kept-alive/stream',
    response: { stream: [{ data: 'a' }], end: 'complete', headers: ofConnection },
  },
  { path: '/parts/:id', response: echo },
  { method: 'POST', path: '/unread', response: { body: 'unread' } },
  { method: 'POST', path: '/echo', response: echo },
  { method: 'GET', path: '/echo', response: echo },
  { method: 'DELETE', path: '/echo', response: echo },
  { method: 'PROPFIND', path: '/dav', response: { body: 'dav' } },
  { method: 'OPTIONS', path: '/**', response: { body: 'options' } },
  { method: 'POST', path: '/select', when: { body: { constructor: 'a', 'x.__proto__': 'b' } }, response: { body: 'names' } },
  { method: 'POST', path: '/select', when: { body: { lists: { $in: [1, [1]] } } }, response: { body: 'lists' } },
  { method: 'POST', path: '/select', when: { body: { [deepPath]: { $exists: true } } }, response: { body: 'deep' } },
  { method: 'POST', path: '/select', when: { headers: { authorization: 'Bearer abc' } }, response: { body: 'secret' } },
  { method: 'POST', path: '/select', when: { body: { password: 'open' } }, response: { body: 'secret' } },
  { method: 'POST', path: '/graphql', when: { operationName: 'Mine' }, response: { body: { data: { mine: true } } } },
] // prettier-ignore

/** The files of a project with these routes. */
export const fixtures = {
  // A module that only re-exports its routes is only run if it names the package.
  'fixtures/requests.ts': `// unplugin-mock-api\nexport { routes as default } from ${JSON.stringify(fileURLToPath(import.meta.url))}`,
}
