/*
 * The JSON Schemas of the shapes in api.ts, for `GET openapi.json`. They allow no other keys: the tests compare every answer
 * with them, so that nothing undocumented is sent.
 */

export interface Schema {
  readonly [keyword: string]: unknown
}

const text: Schema = { type: 'string' }
const whole: Schema = { type: 'integer', minimum: 0 }
const flag: Schema = { type: 'boolean' }
const anything: Schema = {}
const listOf = (items: Schema): Schema => ({ type: 'array', items })
const recordOf = (values: Schema): Schema => ({ type: 'object', additionalProperties: values })
const oneOf = (...values: string[]): Schema => ({ type: 'string', enum: values })
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

/** An object with these properties and no others. Names that end in `?` are optional. */
function object(properties: Readonly<Record<string, Schema>>): Schema {
  const names = Object.keys(properties)
  const required = names.filter((name) => !name.endsWith('?'))
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name.replace(/\?$/, ''), properties[name]])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

const position = { 'file?': text, 'line?': whole, 'column?': whole }
const answeredBy = oneOf(
  'route',
  'template',
  'fault',
  'override',
  'nothing',
  'refused',
  'plugin',
  'passed-on',
)
const fault = oneOf('reset', 'empty', 'truncated', 'malformed', 'stalled', 'silent')
const milliseconds: Schema = { type: 'integer', minimum: 0, maximum: 2_147_483_647 }

const summary = {
  id: whole,
  time: whole,
  method: text,
  url: text,
  'client?': text,
  'operationName?': text,
  'operationType?': oneOf('query', 'mutation', 'subscription'),
  'variables?': text,
  'status?': whole,
  'duration?': { type: 'number', minimum: 0 },
  answeredBy,
  'isAborted?': flag,
  'route?': object({ id: text, name: text, ...position }),
  scenarios: listOf(text),
}

/** The shapes of api.ts by name. */
export const apiSchemas: Readonly<Record<string, Schema>> = {
  RouteInfo: object({
    id: text,
    name: text,
    method: text,
    path: text,
    'when?': anything,
    scenarios: listOf(text),
    answers: oneOf('static', 'graphql', 'paginate', 'function', 'backend', 'sequence', 'error'),
    'pages?': whole,
    isGraphQL: flag,
    isTemplate: flag,
    hits: whole,
    ...position,
  }),
  RouteList: object({ routes: listOf(ref('RouteInfo')) }),
  RequestSummary: object(summary),
  RequestList: object({ requests: listOf(ref('RequestSummary')), capacity: whole }),
  ShownBody: object({ size: whole, 'text?': text, isCut: flag }),
  RequestDetails: object({
    ...summary,
    headers: recordOf(text),
    'body?': ref('ShownBody'),
    'response?': object({ status: whole, headers: recordOf(text), body: ref('ShownBody'), 'fault?': text }),
    decision: ref('Explanation'),
  }),
  ExplainRequest: object({ 'method?': text, url: text, 'headers?': recordOf(text), 'body?': anything }),
  Explanation: object({
    answeredBy,
    'endpoint?': text,
    'route?': text,
    scenarios: listOf(text),
    summary: text,
    candidates: listOf(ref('Candidate')),
    more: whole,
  }),
  Candidate: object({
    id: text,
    name: text,
    isSelected: flag,
    isDefault: flag,
    'failed?': ref('FailedCondition'),
    'fix?': text,
    ...position,
  }),
  FailedCondition: object({
    field: text,
    expected: text,
    expectedType: text,
    'received?': text,
    receivedType: text,
    'hint?': text,
  }),
  NewScenario: object({ scenario: listOf(text) }),
  ScenarioState: object({
    scenario: listOf(text),
    known: listOf(object({ name: text, routes: listOf(text) })),
  }),
  Overrides: object({
    'routes?': recordOf(text),
    'delay?': { anyOf: [milliseconds, recordOf(milliseconds)] },
    'failNext?': object({
      count: { type: 'integer', minimum: 1 },
      'status?': { type: 'integer', minimum: 200, maximum: 599 },
      'fault?': fault,
      'endpoint?': text,
    }),
    'offline?': flag,
  }),
  RecordSwitch: object({ recording: flag, 'target?': text }),
  RecordState: object({
    recording: flag,
    'target?': text,
    folder: text,
    answers: whole,
    files: listOf(text),
    omitted: listOf(object({ what: text, why: text, where: text, count: whole })),
  }),
  DiagnosticInfo: object({
    code: text,
    severity: oneOf('error', 'warning'),
    message: text,
    fix: text,
    'frame?': text,
    ...position,
  }),
  DiagnosticList: object({ diagnostics: listOf(ref('DiagnosticInfo')) }),
  ResetOptions: object({ 'requests?': flag }),
  ResetResult: object({ lastRequest: whole }),
  NewFixture: object({ request: whole, 'file?': text, 'dryRun?': flag }),
  WrittenFixture: object({ file: text, yaml: text, isWritten: flag, 'note?': text }),
  OpenFile: object({ file: text, 'line?': whole, 'column?': whole }),
  OpenedFile: object({ opened: text }),
  ApiError: object({ error: object({ message: text, code: text, fix: text }) }),
}
