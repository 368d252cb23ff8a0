/** Mockoon's CLI with a data file that selects by rules. It has no next handler, so "not ours" is not measured. */
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { failing, hero, itemsPage } from '../lib/answers.mjs'
import { makeProject } from '../lib/project.mjs'

const environment = {
  uuid: randomUUID(),
  lastMigration: 33,
  name: 'bench',
  port: Number(process.env.PORT),
  hostname: '127.0.0.1',
  endpointPrefix: '',
  latency: 0,
  folders: [],
  ...withRoutes([
    route('get', 'items', [
      answer(itemsPage(1)),
      answer(itemsPage(2), { target: 'query', modifier: 'page', value: '2' }),
      answer(itemsPage(3), { target: 'query', modifier: 'page', value: '3' }),
    ]),
    route('post', 'graphql', [
      answer(hero),
      answer(failing, { target: 'body', modifier: 'operationName', value: 'FailingQuery' }),
    ]),
  ]),
  proxyMode: false,
  proxyHost: '',
  proxyRemovePrefix: false,
  tlsOptions: {
    enabled: false,
    type: 'CERT',
    pfxPath: '',
    certPath: '',
    keyPath: '',
    caPath: '',
    passphrase: '',
  },
  cors: false,
  headers: [],
  proxyReqHeaders: [],
  proxyResHeaders: [],
  data: [],
  callbacks: [],
}

const file = join(makeProject({ 'data.json': JSON.stringify(environment) }), 'data.json')
process.argv = [
  ...process.argv.slice(0, 2),
  'start',
  '--data',
  file,
  '--disable-admin-api',
  '--disable-log-to-file',
]
await import('@mockoon/cli/bin/run.js')

function withRoutes(routes) {
  return { routes, rootChildren: routes.map(({ uuid }) => ({ type: 'route', uuid })) }
}

function route(method, endpoint, responses) {
  const uuid = randomUUID()
  const rest = { documentation: '', responseMode: null, streamingMode: null, streamingInterval: 0 }
  return { uuid, type: 'http', method, endpoint, responses, ...rest }
}

function answer(body, rule) {
  return {
    uuid: randomUUID(),
    body: JSON.stringify(body),
    latency: 0,
    statusCode: 200,
    label: '',
    headers: [{ key: 'Content-Type', value: 'application/json; charset=utf-8' }],
    bodyType: 'INLINE',
    filePath: '',
    databucketID: '',
    sendFileAsBody: false,
    rules: rule ? [{ ...rule, invert: false, operator: 'equals' }] : [],
    rulesOperator: 'OR',
    disableTemplating: true,
    fallbackTo404: false,
    default: !rule,
    crudKey: 'id',
    callbacks: [],
  }
}
