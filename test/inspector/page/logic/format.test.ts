import { expect, it } from 'vitest'
import {
  countRoutes,
  flowYaml,
  formatDuration,
  formatPosition,
  formatSize,
  ownName,
  statusKind,
  statusText,
  toneOf,
  titleOf,
} from '../../../../src/inspector/page/logic/format.ts'
import { summary } from './request.ts'

it.each([
  [0, '< 1 ms'],
  [0.04, '< 1 ms'],
  [0.36, '0.4 ms'],
  [9.94, '9.9 ms'],
  [12.6, '13 ms'],
  [999.4, '999 ms'],
  [1000, '1 s'],
  [1204, '1.2 s'],
  [61_250, '61.25 s'],
])('a duration of %d', (milliseconds, text) => expect(formatDuration(milliseconds)).toBe(text))

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1536, '1.5 KiB'],
  [5_242_880, '5 MiB'],
])('a size of %d', (bytes, text) => expect(formatSize(bytes)).toBe(text))

it('routes are counted as in the terminal', () => {
  expect(countRoutes([{ answers: 'static' }, { answers: 'paginate', pages: 3 }, { answers: 'error' }])).toBe(
    4,
  )
})

it.each([
  [{ file: 'a.yaml', line: 3 }, 'a.yaml:3'],
  [{ file: 'a.yaml' }, 'a.yaml'],
  [{ file: '/home/me/app/node_modules/x/fixtures/items.yaml', line: 6 }, '…/fixtures/items.yaml:6'],
  [{ file: 'C:/me/x/fixtures/items.yaml' }, '…/fixtures/items.yaml'],
  [{ file: '/a.yaml' }, '/a.yaml'],
  [{}, ''],
])('the place %j', (position, text) => expect(formatPosition(position)).toBe(text))

it.each([
  [200, 'good'],
  [304, 'redirect'],
  [404, 'bad'],
  [503, 'failed'],
  [undefined, 'none'],
] as const)('the status %s is %s', (status, kind) => expect(statusKind(status)).toBe(kind))

it.each([
  [summary({ status: 200, duration: 1 }), '200'],
  [summary({ answeredBy: 'passed-on' }), '–'],
  [summary({ isAborted: true, status: 200 }), 'aborted'],
  [summary({ answeredBy: 'fault', duration: 3 }), 'broken'],
  [summary(), 'waits'],
])('what is shown as the status of request %#', (request, text) => expect(statusText(request)).toBe(text))

it.each([
  [summary({ status: 200 }), 'good'],
  [summary({ status: 200, isUnanswered: true }), 'bad'],
  [summary({ status: 200, errors: { mark: '1 error', message: 'No.' } }), 'failed'],
  [summary({ status: 302 }), 'redirect'],
  [summary(), 'none'],
])('the colour of request %#', (request, tone) => expect(toneOf(request)).toBe(tone))

it.each([
  [summary({ url: '/items?page=2' }), { title: '/items?page=2' }],
  [
    summary({ operationName: 'Cart', operationType: 'query', variables: 'id: 7' }),
    { title: 'Cart', detail: 'id: 7' },
  ],
  [summary({ operationType: 'mutation' }), { title: '(anonymous mutation)' }],
])('the title of request %#', (request, title) => expect(titleOf(request)).toEqual(title))

it.each([
  [{ query: { page: 2 } }, '{ query: { page: 2 } }'],
  [
    { variables: { id: '1', ok: 'true', state: 'open' } },
    '{ variables: { id: "1", ok: "true", state: open } }',
  ],
  [{ body: { 'a.b': { $in: ['x, y', null, false] } } }, '{ body: { a.b: { $in: ["x, y", null, false] } } }'],
  [{ headers: { 'x y': 'a: b' }, body: {} }, '{ headers: { "x y": "a: b" }, body: {} }'],
  ['[function]', '"[function]"'],
])('the selector %j in one line', (when, text) => expect(flowYaml(when)).toBe(text))

it.each([
  ['GET /orders/:id #2', undefined],
  ['* /a #1', undefined],
  ['GET /orders', 'GET /orders'],
  ['the order is gone #1', 'the order is gone #1'],
])('the route "%s" is named %j', (name, own) => expect(ownName(name)).toBe(own))
