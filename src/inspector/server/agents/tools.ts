import * as v from 'valibot'
import type { RequestSummary, RouteInfo } from '../../api/api.ts'
import { apiSchemas } from '../../api/schemas.ts'
import { text, whole } from '../../api/shapes.ts'
import { isMiss } from '../../client/is-miss.ts'
import { explainRequest } from './explain-request.ts'
import { about, client, cut, dataNote, pagingArguments, parted, tool, type Tool } from './tool.ts'
import { writeFixture } from './write-tool.ts'

const asClient = (name: string | undefined) => ({
  ...(name !== undefined && { headers: { 'x-mock-client': name } }),
})

const listRoutes = tool({
  name: 'list_routes',
  title: 'List the routes',
  description:
    'What the fixture files answer: method, path, selector, scenarios, status, file and line of each route, and how often it has answered. In the order in which routes are tried.',
  example: { search: 'orders' },
  changes: false,
  input: v.strictObject({
    search: about(text, 'Only routes with this text in their id, file or scenarios, such as "POST /orders".'),
    ...pagingArguments,
  }),
  output: v.strictObject({ routes: apiSchemas.RouteList.entries.routes, ...parted }),
  async run(call, { search = '', ...given }) {
    const { routes } = await call('GET /routes')
    const has = ({ id, file = '', scenarios }: RouteInfo) =>
      [id, file, ...scenarios].some((one) => one.toLowerCase().includes(search.toLowerCase()))
    const { items, ...rest } = cut(routes.filter(has), given)
    return { routes: items, ...rest }
  },
})

/** 0: it missed. 1: something else went wrong, or it still waits. 2: it was answered. */
function troubleOf(request: RequestSummary): number {
  const { answeredBy, status, errors, isAborted } = request
  if (isMiss(request) || answeredBy === 'refused') return 0
  const isWrong = errors !== undefined || isAborted || status === undefined || status >= 400
  return isWrong || answeredBy === 'fault' || answeredBy === 'override' ? 1 : 2
}

const listRequests = tool({
  name: 'list_requests',
  title: 'List the requests',
  description:
    'What the application has asked for, and who answered. First what missed (no route matched, and nothing else but a page or a 404), then what failed or still waits, then the rest; each newest first. explain_request says why.',
  example: { search: '/orders' },
  changes: false,
  input: v.strictObject({
    search: about(text, 'Only requests with this text in their URL, headers, body or answer.'),
    client,
    ...pagingArguments,
  }),
  output: v.strictObject({
    note: text,
    requests: v.array(apiSchemas.RequestSummary),
    /** Number of requests that missed. */
    missed: whole,
    ...parted,
  }),
  async run(call, { search = '', client, ...given }) {
    const query = new URLSearchParams(client === undefined ? {} : { client })
    const { requests } = await call('GET /requests', { query: query.toString() })
    const found = new URLSearchParams([...query, ['search', search]])
    const bySearch = search === '' ? [] : (await call('GET /requests', { query: found.toString() })).requests
    const ids = new Set(bySearch.map(({ id }) => id))
    const wanted = requests.filter(({ id, url }) => search === '' || ids.has(id) || url.includes(search))
    const sorted = wanted.toSorted((one, other) => troubleOf(one) - troubleOf(other))
    const { items, ...rest } = cut(sorted, given)
    const missed = sorted.filter((one) => troubleOf(one) === 0).length
    return { note: dataNote, requests: items, missed, ...rest }
  },
})

const checkFixtures = tool({
  name: 'check_fixtures',
  title: 'Check the fixture files',
  description:
    'What is wrong with the fixture files as they are now, each with file, line, the lines around it and the fix. An empty list: all is well. mock-api://diagnostics/{code} has more about a code.',
  example: {},
  changes: false,
  input: v.strictObject(pagingArguments),
  output: v.strictObject({ diagnostics: v.array(apiSchemas.DiagnosticInfo), ...parted }),
  async run(call, given) {
    const { items, ...rest } = cut((await call('GET /diagnostics')).diagnostics, given)
    return { diagnostics: items, ...rest }
  },
})

const compareWithBackend = tool({
  name: 'compare_with_backend',
  title: 'Compare with the backend',
  description:
    'Asks the backend of the option record.target what every route that only reads answers, and lists where the fixtures differ: gone and new keys, other types, null, statuses, each with file and line. Call it after writing fixtures, to prove them. Nothing is written.',
  example: {},
  changes: false,
  input: v.strictObject(pagingArguments),
  output: v.strictObject({
    note: text,
    /** Number of routes that were compared. */
    compared: whole,
    differences: apiSchemas.Reality.entries.differences,
    ...parted,
  }),
  async run(call, given) {
    const { compared, differences } = await call('POST /reality')
    const { items, ...rest } = cut(differences, given)
    return { note: dataNote, compared, differences: items, ...rest }
  },
})

const setScenario = tool({
  name: 'set_scenario',
  title: 'Set the scenarios',
  description:
    'Makes these scenarios the active ones; an empty list ends them. The answer has all that routes name (`known`). It does not change a file.',
  example: { scenario: ['payment-down'] },
  changes: true,
  input: v.strictObject({ ...apiSchemas.NewScenario.entries, client }),
  output: apiSchemas.ScenarioState,
  run: (call, { scenario, client }) => call('PUT /scenario', { body: { scenario }, ...asClient(client) }),
})

const forceAnswer = tool({
  name: 'force_answer',
  title: 'Force an answer',
  description:
    'Makes answers other than the fixtures have them, until reset, without a change of a file. It replaces what was forced before; {} ends it. routes: the route (name or id) that answers an endpoint, {"GET /orders/:id": "the order is gone"}. failNext: the next requests fail, {"count": 1, "status": 503} or {"count": 1, "fault": "reset"}, also with "endpoint": "GET /orders". sadPath: the id of a sad path, which explain_request lists. nextAnswer: {"endpoint", "status", "headers", "body"}, once. delay: milliseconds, or by endpoint. offline: true.',
  example: { failNext: { count: 1, status: 503, endpoint: 'GET /orders' } },
  changes: true,
  input: v.strictObject({ ...apiSchemas.Overrides.entries, client }),
  output: apiSchemas.Overrides,
  run: (call, { client, ...body }) => call('PUT /overrides', { body, ...asClient(client) }),
})

const pushEvent = tool({
  name: 'push_event',
  title: 'Push an event',
  description:
    'Sends data to open streams (server-sent events, subscriptions): those with on: { push: channel }, those of a route (name or id), or the one that answers a request. With route or request, `end` ends the stream or breaks its connection. The answer says how many streams it has reached.',
  example: { channel: 'orders', data: { id: 7, state: 'sold' } },
  changes: true,
  input: v.strictObject({ ...apiSchemas.NewPush.entries, client }),
  output: apiSchemas.PushResult,
  run: (call, { client, ...body }) => call('POST /push', { body, ...asClient(client) }),
})

const reset = tool({
  name: 'reset',
  title: 'Reset',
  description:
    'Ends scenarios and forced answers, and starts sequences and counts anew; with requests: true it also forgets the recorded requests. Files stay.',
  example: { requests: true },
  changes: true,
  input: v.strictObject({
    requests: about(v.boolean(), 'Also forget the recorded requests. Default false.'),
    client,
  }),
  output: apiSchemas.ResetResult,
  run: (call, { client, ...body }) => call('POST /reset', { body, ...asClient(client) }),
})

export const tools: readonly Tool[] = [
  listRequests,
  explainRequest,
  writeFixture,
  checkFixtures,
  compareWithBackend,
  listRoutes,
  forceAnswer,
  setScenario,
  pushEvent,
  reset,
]
