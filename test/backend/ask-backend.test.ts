import { createServer, type OutgoingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { askBackend } from '../../src/backend/ask-backend.ts'
import type { BackendAnswer } from '../../src/core/answer/decision.ts'
import { resolveOptions } from '../../src/core/options/resolve-options.ts'
import { createMiddleware } from '../../src/connect.ts'
import { closeServer, listen, recorder } from '../hosts/serve.ts'
import { createTestProject } from '../hosts/test-project.ts'

interface Site {
  hasPages?: boolean
  nextIsBackend?: boolean
  proxy?: object
}
let behind: { status: number; headers?: OutgoingHttpHeaders; site: Site }
const { record } = resolveOptions({}, { root: '/', logger: recorder().logger })

/** Answers with what the backend has answered, where another handler stands behind the plugin. */
const server = createServer((req, res) => {
  const { status, headers, site } = behind
  const next = () => res.writeHead(status, headers).end(req.method)
  const where = {
    proxy: undefined,
    hostBase: '',
    nextIsBackend: false,
    hasPages: false,
    report: () => {},
    ...site,
  }
  void askBackend({ req, res, next }, undefined, record, where).then((answer) =>
    res.end(JSON.stringify(answer)),
  )
})
let origin: string
beforeAll(async () => void (origin = await listen(server)))
afterAll(() => closeServer(server))

const html = { 'content-type': 'text/html; charset=utf-8' }
const json = { 'content-type': 'application/json' }
const spa: Site = { hasPages: true }

it.each<[what: string, site: Site, status: number, headers: OutgoingHttpHeaders, expected: object]>([
  ['the page of an application', spa, 200, html, { kind: 'unknown', instead: 'page' }],
  ['a 404 of a dev server', spa, 404, {}, { kind: 'unknown', instead: 'nothing' }],
  ['a 404 as a page', {}, 404, html, { kind: 'unknown', instead: 'nothing' }],
  ['HTML of a framework that has pages of its own', {}, 200, html, { kind: 'complete', status: 200 }],
  ['data of a framework', spa, 200, json, { kind: 'complete', status: 200 }],
  ['a 404 of a framework in JSON', spa, 404, json, { kind: 'complete', status: 404 }],
  ['a page that a proxy has', { ...spa, proxy: { '/a': '' } }, 200, html, { kind: 'complete', status: 200 }],
  ['a page of the next handler', { ...spa, nextIsBackend: true }, 200, html, { kind: 'complete', status: 200 }],
])('%s', async (_, site, status, headers, expected) => {
  behind = { status, headers, site }
  const response = await fetch(`${origin}/a`)
  expect((await response.json()) as BackendAnswer).toMatchObject(expected)
}) // prettier-ignore

it.each([
  ['127.0.0.1', 'Bearer own', []],
  ['192.0.2.1', undefined, ['record-headers-withheld']],
])('the headers of the option "record" go out for this machine alone: %s', async (from, sent, codes) => {
  const backend = createServer((req, res) => res.end(JSON.stringify({ sent: req.headers.authorization })))
  const target = await listen(backend)
  const project = createTestProject({ 'a.yaml': '- { path: /a, response: { from: backend } }' })
  const { logger, log } = recorder()
  const headers = { authorization: 'Bearer own' }
  const middleware = createMiddleware({
    root: project.root,
    fixtures: '.',
    logger,
    record: { enabled: false, target, headers },
  })
  const front = createServer((req, res) => {
    Object.defineProperty(req.socket, 'remoteAddress', { value: from, configurable: true })
    middleware(req, res)
  })
  const origin = await listen(front)
  await middleware.ready
  expect(await (await fetch(`${origin}/a`)).json()).toEqual(sent === undefined ? {} : { sent })
  expect(log.join('\n').match(/record-headers-\w+/g) ?? []).toEqual(codes)
  await middleware.close()
  await Promise.all([closeServer(front), closeServer(backend)])
  project.close()
})
