import { apiSchemas, type Schema } from './api-schemas.ts'
import type { ApiRoute } from './context.ts'

interface Operation {
  summary: string
  /** The name of the schema of a JSON body. */
  body?: string
  /** The name of the schema of the answer. Without one, it is described by `content`. */
  answer?: string
  content?: Readonly<Record<string, Schema>>
  parameters?: readonly Schema[]
  /** Statuses of errors besides 403 and 500, which every operation has. */
  errors?: readonly number[]
}

const query = (name: string, type: string, description: string): Schema => ({
  name,
  in: 'query',
  description,
  schema: { type },
})

const filters = [
  query('client', 'string', 'Only requests of this client.'),
  query(
    'passed',
    'boolean',
    'Whether requests that are passed on are recorded and listed too. Default false.',
  ),
]
const client: Schema = {
  name: 'x-mock-client',
  in: 'header',
  description: 'Whose state is read or changed. Default: that of everyone.',
  schema: { type: 'string' },
}
const ownHeader: Schema = {
  name: 'x-mock-api',
  in: 'header',
  required: true,
  description: 'Shows that no page of another site sends the request.',
  schema: { type: 'string', enum: ['1'] },
}

/** What each route of the control API does, by method and path. */
const operations: Readonly<Record<string, Operation>> = {
  'GET /routes': { summary: 'All routes, in the order in which they are tried.', answer: 'RouteList' },
  'GET /requests': {
    summary: 'The last requests, newest first.',
    parameters: [...filters, query('limit', 'integer', 'At most this many.')],
    answer: 'RequestList',
    errors: [400],
  },
  'GET /requests/stream': {
    summary: 'Server-sent events: requests, reloads of the fixtures, and changes of the state.',
    parameters: [
      ...filters,
      {
        name: 'last-event-id',
        in: 'header',
        description: 'Begins with the kept requests after this id.',
        schema: { type: 'integer' },
      },
      query('after', 'integer', 'The same as the header last-event-id, for clients that can not set it.'),
      client,
    ],
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  },
  'GET /requests/{id}': {
    summary: 'One request with its answer, and why it got that answer.',
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
    answer: 'RequestDetails',
    errors: [404],
  },
  'POST /explain': {
    summary: 'How a request would be answered, without answering it.',
    body: 'ExplainRequest',
    answer: 'Explanation',
  },
  'GET /scenario': {
    summary: 'The active scenarios, and all that routes name.',
    parameters: [client],
    answer: 'ScenarioState',
  },
  'PUT /scenario': {
    summary: 'Sets the active scenarios.',
    parameters: [client],
    body: 'NewScenario',
    answer: 'ScenarioState',
  },
  'GET /overrides': { summary: 'What is switched on.', parameters: [client], answer: 'Overrides' },
  'PUT /overrides': {
    summary: 'Replaces what is switched on.',
    parameters: [client],
    body: 'Overrides',
    answer: 'Overrides',
  },
  'GET /record': {
    summary: 'Whether answers of the backend are recorded, and what was.',
    answer: 'RecordState',
  },
  'PUT /record': {
    summary: 'Starts a recording, or ends it and writes what is not written yet.',
    body: 'RecordSwitch',
    answer: 'RecordState',
  },
  'GET /diagnostics': { summary: 'What is wrong with the fixture files.', answer: 'DiagnosticList' },
  'POST /reset': {
    summary: 'Resets scenarios, overrides, sequences and hits.',
    parameters: [client],
    body: 'ResetOptions',
    answer: 'ResetResult',
  },
  'POST /fixture': {
    summary: 'Writes a new fixture file from a request, or shows it.',
    body: 'NewFixture',
    answer: 'WrittenFixture',
    errors: [404, 409],
  },
  'POST /open': {
    summary: 'Opens a file of a route in the editor.',
    body: 'OpenFile',
    answer: 'OpenedFile',
    errors: [404, 409],
  },
  'GET /openapi.json': {
    summary: 'This description.',
    content: { 'application/json': { schema: { type: 'object' } } },
  },
}

/** The description of the control API in OpenAPI 3.1. */
export function openApiDocument(routes: readonly ApiRoute[]): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const { method, path } of routes) {
    ;(paths[path] ??= {})[method.toLowerCase()] = describe(method, operations[`${method} ${path}`]!)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of unplugin-mock-api',
      version: '1',
      description: 'What was asked, who answered and why; and switches for the mock server.',
    },
    servers: [{ url: '/__mock-api/api' }],
    paths,
    components: { schemas: apiSchemas },
  }
}

function describe(
  method: string,
  { summary, body, answer, content, parameters = [], errors = [] }: Operation,
): object {
  const isChanging = method !== 'GET'
  const all = [...parameters, ...(isChanging ? [ownHeader] : [])]
  const statuses = [...(isChanging ? [400, 413] : []), 403, 500, ...errors].sort()
  return {
    summary,
    ...(all.length > 0 && { parameters: all }),
    ...(body !== undefined && { requestBody: { required: body !== 'ResetOptions', content: jsonOf(body) } }),
    responses: {
      200: { description: 'OK', content: answer === undefined ? content : jsonOf(answer) },
      ...Object.fromEntries(
        statuses.map((status) => [status, { description: 'An error', content: jsonOf('ApiError') }]),
      ),
    },
  }
}

function jsonOf(name: string): object {
  return { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } }
}
