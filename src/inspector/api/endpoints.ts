import * as v from 'valibot'
import type { Shapes } from './api.ts'
import { integer, text } from './shapes.ts'

export interface ApiEndpoint {
  summary: string
  body?: keyof Shapes
  /** Bytes. Default 1 MiB, or twice the option `bodyLimit`. */
  maxBody?: number
  /** Absent where the content type says it all. */
  answer?: keyof Shapes
  contentType?: string
  parameters?: readonly (keyof typeof apiParameters)[]
  /** Besides 403 and 500 of every endpoint, and 400 and 413 of those with a body. */
  errors?: readonly number[]
}

export const apiParameters = {
  client: { in: 'query', schema: text, description: 'Only requests of this client.' },
  passed: {
    in: 'query',
    schema: v.boolean(),
    description:
      'Whether all requests that are passed on are recorded and listed, not only those that end in a 404. Default false.',
  },
  request: { in: 'query', schema: integer, description: 'The id of a request, whose answer is meant.' },
  route: { in: 'query', schema: text, description: 'The id of a route, whose answer is meant.' },
  search: {
    in: 'query',
    schema: text,
    description:
      'Only requests that have this text in their headers, their body or their answer, as these are shown.',
  },
  limit: { in: 'query', schema: integer, description: 'At most this many.' },
  'last-event-id': {
    in: 'header',
    schema: integer,
    description: 'Begins with the kept requests after this id.',
  },
  after: {
    in: 'query',
    schema: integer,
    description: 'The same as the header last-event-id, for clients that can not set it.',
  },
  'x-mock-client': {
    in: 'header',
    schema: text,
    description: 'Whose state is read or changed. Default: that of everyone.',
  },
  'x-mock-api': {
    in: 'header',
    required: true,
    schema: v.literal('1'),
    description: 'Shows that no page of another site sends the request.',
  },
  collection: { in: 'path', required: true, schema: text, description: 'The name of a collection.' },
  item: { in: 'path', required: true, schema: text, description: 'The id of an item.' },
  id: { in: 'path', required: true, schema: integer, description: 'The id of a request.' },
} as const

export const endpoints = {
  'GET /routes': { summary: 'All routes, in the order in which they are tried.', answer: 'RouteList' },
  'GET /requests': {
    summary: 'The last requests, newest first.',
    parameters: ['client', 'passed', 'search', 'limit'],
    answer: 'RequestList',
    errors: [400],
  },
  'GET /requests/stream': {
    summary: 'Server-sent events: requests, reloads of the fixtures, and changes of the state.',
    parameters: ['client', 'passed', 'last-event-id', 'after', 'x-mock-client'],
    contentType: 'text/event-stream',
    errors: [409],
  },
  'GET /requests/{id}': {
    summary: 'One request with its answer, and why it got that answer.',
    parameters: ['id'],
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
    parameters: ['x-mock-client'],
    answer: 'ScenarioState',
  },
  'PUT /scenario': {
    summary: 'Sets the active scenarios.',
    parameters: ['x-mock-client'],
    body: 'NewScenario',
    answer: 'ScenarioState',
  },
  'GET /overrides': {
    summary: 'What is switched on.',
    parameters: ['x-mock-client'],
    answer: 'Overrides',
  },
  'PUT /overrides': {
    summary: 'Replaces what is switched on.',
    parameters: ['x-mock-client'],
    body: 'Overrides',
    answer: 'Overrides',
  },
  'GET /collections': {
    summary: 'The collections, and how many items each has.',
    parameters: ['x-mock-client'],
    answer: 'CollectionList',
  },
  'GET /collections/{collection}': {
    summary: 'The items of a collection, and which of them are not as in the file.',
    parameters: ['collection', 'x-mock-client'],
    answer: 'CollectionItems',
    errors: [404],
  },
  'PUT /collections/{collection}': {
    summary: 'Replaces all items.',
    parameters: ['collection', 'x-mock-client'],
    body: 'NewItems',
    answer: 'CollectionItems',
    errors: [404],
  },
  'DELETE /collections/{collection}': {
    summary: 'Brings back the items of the file.',
    parameters: ['collection', 'x-mock-client'],
    answer: 'CollectionItems',
    errors: [404],
  },
  'GET /collections/{collection}/{item}': {
    summary: 'One item.',
    parameters: ['collection', 'item', 'x-mock-client'],
    answer: 'CollectionItem',
    errors: [404],
  },
  'PUT /collections/{collection}/{item}': {
    summary: 'Replaces an item, or adds it.',
    parameters: ['collection', 'item', 'x-mock-client'],
    body: 'CollectionItem',
    answer: 'CollectionItem',
    errors: [404],
  },
  'DELETE /collections/{collection}/{item}': {
    summary: 'Removes an item, which is the answer.',
    parameters: ['collection', 'item', 'x-mock-client'],
    answer: 'CollectionItem',
    errors: [404],
  },
  'POST /save': {
    summary: 'Writes the items of a collection into the file that has them, unless it has changed since.',
    parameters: ['x-mock-client'],
    body: 'SavedCollection',
    answer: 'ChangedFile',
    errors: [404, 409],
  },
  'GET /sad-paths': {
    summary: 'Every way in which an answer can go wrong: that to a request, or that of a route.',
    parameters: ['request', 'route', 'limit'],
    answer: 'SadPathList',
    errors: [400, 404, 409],
  },
  'GET /graphql-schema': { summary: 'The GraphQL schema.', answer: 'GraphQLSchema' },
  'GET /record': {
    summary: 'Whether answers of the backend are recorded, and what was.',
    answer: 'RecordState',
  },
  'PUT /record': {
    summary: 'Starts a recording, or ends it and writes what is not written yet.',
    body: 'RecordSwitch',
    answer: 'RecordState',
  },
  'GET /reality': {
    summary: 'Differences between the fixtures and what the backend has answered.',
    answer: 'Reality',
  },
  'POST /reality': {
    summary: 'Asks the backend for every route that only reads, and compares.',
    answer: 'Reality',
    errors: [400],
  },
  'PUT /reality': {
    summary: 'Whether requests that fixtures have answered are also sent to the backend.',
    body: 'RealitySwitch',
    answer: 'Reality',
  },
  'POST /reality/take': {
    summary: 'Writes differences into the fixtures, as the backend has answered.',
    body: 'TakenDifferences',
    answer: 'Reality',
    errors: [404, 409],
  },
  'POST /reality/accept': {
    summary: 'Adds a difference to mock-api-accepted.yaml.',
    body: 'Acceptance',
    answer: 'Reality',
    errors: [404, 409],
  },
  'POST /push': {
    summary: 'Sends an event to open streams, ends them, or breaks their connections.',
    parameters: ['x-mock-client'],
    body: 'NewPush',
    answer: 'PushResult',
    errors: [404],
  },
  'GET /diagnostics': { summary: 'What is wrong with the fixture files.', answer: 'DiagnosticList' },
  'POST /reset': {
    summary: 'Resets scenarios, overrides, sequences and hits.',
    parameters: ['x-mock-client'],
    body: 'ResetOptions',
    answer: 'ResetResult',
  },
  'POST /fixture': {
    summary: 'Writes a new fixture file from a request, or shows it; never over an existing one.',
    body: 'NewFixture',
    answer: 'WrittenFixture',
    errors: [404, 409],
  },
  'POST /edit': {
    summary:
      'Proposes a change of a fixture file so that a request is answered, or checks one. Writes nothing.',
    body: 'EditRequest',
    answer: 'Edit',
    errors: [404, 409],
  },
  'PUT /edit': {
    summary: 'Writes a fixture file, unless it is not as it was when the text was made.',
    body: 'Change',
    answer: 'ChangedFile',
    errors: [409],
  },
  'DELETE /edit': {
    summary: 'Takes the last change back, unless the file has changed since.',
    answer: 'ChangedFile',
    errors: [409],
  },
  'POST /import': {
    summary: 'Writes fixture files from a file that `import` reads into a new folder, or says which.',
    body: 'ImportedFile',
    answer: 'WrittenFiles',
    maxBody: 104_857_600,
  },
  'POST /open': {
    summary: 'Opens a file of a route in the editor.',
    body: 'OpenFile',
    answer: 'OpenedFile',
    errors: [404, 409],
  },
  'GET /openapi.json': { summary: 'This description.', contentType: 'application/json' },
} as const satisfies Record<string, ApiEndpoint>

export type EndpointName = keyof typeof endpoints
type ShapeOf<Name extends EndpointName, Part extends 'body' | 'answer'> =
  (typeof endpoints)[Name] extends Record<Part, infer Shape extends keyof Shapes> ? Shapes[Shape] : undefined
/** `undefined` where the endpoint takes no body. */
export type BodyOf<Name extends EndpointName> = ShapeOf<Name, 'body'>
/** `undefined` where the answer has no shape. */
export type AnswerOf<Name extends EndpointName> = ShapeOf<Name, 'answer'>
