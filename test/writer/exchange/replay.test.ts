import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Exchange } from '../../../src/writer/exchange/exchange.ts'
import { placeholder } from '../../../src/core/redact/redact.ts'
import { asJson } from '../../../src/core/values/json-value.ts'
import { writeFixtures } from '../../../src/writer/write-fixtures.ts'
import { patience, sampling } from '../../sampling.ts'
import { exchange, load, valueOf } from '../exchanges.ts'

const word = fc.constantFrom(...'a b open page é 0 7 07 1e3 true null ~'.split(' '), 'x y', '')
const hostileKey = fc.constantFrom(
  ...'a a.b $gt << __proto__ constructor &x y 1 token \\'.split(' '),
  '',
  '- a',
)
const hostileText = fc.oneof(
  word,
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    ...['\n', 'a\nb\n', '  a', 'a: b', '\u2028', '\uFEFF', '\r\n', '\ud800', '\t'],
    ...`# 2026-01-01 0x10 .5 !x *a % @ ' " \` | > =`.split(' '),
  ),
)
const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    hostileText,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(hostileKey, hostileText), tie('value'), { maxKeys: 4 }),
  ),
})).value

const path = fc
  .array(
    fc.constantFrom(...'orders 7 8 items a%20b %C3%A9 :id * a.json .. (x) export caf\u00e9'.split(' '), ''),
    { minLength: 1, maxLength: 3 },
  )
  .map((segments) => `/${segments.join('/')}`)
const search = fc
  .array(fc.tuple(fc.constantFrom('q', 'page', 'limit', '$filter', 'a[b]', 'key', '_', ''), word), {
    maxLength: 3,
  })
  .map((pairs) => (pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : ''))

const call: fc.Arbitrary<Exchange> = fc
  .record({ id: fc.nat(3), method: word, params: json, result: json })
  .map(({ id, method, params, result }) =>
    exchange('POST /rpc', {
      sent: { jsonrpc: '2.0', id, method, params },
      body: { jsonrpc: '2.0', id, result },
    }),
  )

const rest: fc.Arbitrary<Exchange> = fc
  .record({
    method: fc.constantFrom('GET', 'GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND'),
    path,
    search,
    sent: fc.option(json, { nil: undefined }),
    sentHeaders: fc.dictionary(
      fc.constantFrom('authorization', 'accept-language', 'soapaction'),
      fc.constantFrom('a', 'b'),
      { maxKeys: 1 },
    ),
    status: fc.constantFrom(200, 200, 201, 204, 304, 400, 404, 500, 599),
    body: fc.oneof(json, fc.uint8Array({ maxLength: 20 }), fc.constant(undefined)),
    type: fc.constantFrom(
      'application/json',
      'text/html; charset=utf-8',
      'text/plain',
      'image/png',
      'application/problem+json',
      'text/plain; charset=iso-8859-1',
    ),
    headers: fc.dictionary(
      fc.constantFrom('x-total', 'date', 'etag', 'set-cookie', 'x-a'),
      fc.constantFrom('1', 'a b', ''),
      { maxKeys: 2 },
    ),
  })
  .map(({ method, path, search, ...parts }) =>
    exchange(`${method} ${path}${search}`, { ...parts, sent: method === 'GET' ? undefined : parts.sent }),
  )

const graphql: fc.Arbitrary<Exchange> = fc
  .record({
    url: fc.constantFrom('/graphql', '/gql'),
    name: fc.constantFrom('A', 'B', undefined),
    kind: fc.constantFrom('query', 'mutation'),
    variables: fc.option(fc.dictionary(hostileKey, json, { maxKeys: 3 }), { nil: undefined }),
    field: fc.constantFrom('x', 'y'),
    data: json,
  })
  .map(({ url, name, kind, variables, field, data }) =>
    exchange(`POST ${url}`, {
      sent: { query: `${kind} ${name ?? ''} { ${field} }`, operationName: name, variables },
      body: { data: { [field]: data } },
    }),
  )

test(
  'replaying exchanges gives the status and the body of each',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(rest, graphql, call), { minLength: 1, maxLength: 12 }),
        async (exchanges) => {
          const { files, omitted } = writeFixtures(exchanges)
          const send = await load({ files })
          const skipped = omitted.filter(({ what }) => /^an? (?:request|answer|batch)/.test(what))
          const missing = skipped.reduce((count, one) => count + one.count, 0)
          const different: string[] = []
          for (const one of exchanges) {
            const replayed = await send(one).catch(() => undefined)
            if (!replayed || !isSame(one, replayed)) different.push(show(one))
          }
          const seen = JSON.stringify({ different, omitted, files, all: exchanges.map(show) }, null, 1)
          expect(different.length, seen).toBeLessThanOrEqual(missing)
        },
      ),
      sampling(8),
    )
  },
  patience,
)

type Replayed = Awaited<ReturnType<Awaited<ReturnType<typeof load>>>>

function isSame(one: Exchange, { status, body, type }: Replayed): boolean {
  const recordedStatus = one.status === 304 && one.responseBody.length > 0 ? 200 : one.status
  if (status !== recordedStatus) return false
  if (status === 204 || status === 304) return true
  const recordedType = one.responseHeaders.find(([name]) => name === 'content-type')?.[1]
  const [before, now] = [valueOf(one.responseBody, recordedType), valueOf(body, type)]
  const isSameBody =
    Buffer.compare(one.responseBody, body) === 0 ||
    JSON.stringify(withoutSecrets(before)) === JSON.stringify(withoutSecrets(now))
  return isSameBody && (body.length === 0 || type !== undefined)
}

/** What is under a secret name may have been replaced, also in JSON inside a text. */
function withoutSecrets(value: unknown): unknown {
  const hide = (key: string, inner: unknown) => (key === 'token' ? placeholder : inner)
  const json = typeof value === 'string' ? asJson(value) : undefined
  return JSON.parse(JSON.stringify(json ? json.value : value, hide))
}

function show({ method, url, requestBody, status, responseBody, responseHeaders }: Exchange): string {
  const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)
  return `${method} ${url} ${text(requestBody)} → ${status} ${JSON.stringify(responseHeaders)} ${text(responseBody)}`
}
