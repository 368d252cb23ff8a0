import * as v from 'valibot'
import { fromIssues } from '../fixture/schema-issue.ts'
import { Budget } from '../graphql/budget.ts'
import { notRun } from '../graphql/check-operation.ts'
import { isResult } from '../graphql/result.ts'
import { headerText, type RawRequest } from '../http/raw-request.ts'
import { clientOf } from '../http/whose-state.ts'
import { streamToken } from '../http/protocols.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { prepareResponse, withoutHeader } from '../response/prepare-response.ts'
import type { FixtureResponse, FunctionResponse } from '../schema/schema.ts'
import { type FixtureEvent, streamEventSchema } from '../schema/stream-schema.ts'
import { isOver, readStream, type PreparedStream } from '../stream/stream.ts'
import { type StreamEvent, type StreamFormat, type Framing, resultOf } from '../stream/frames.ts'
import type { CompiledRoute, Endpoint } from '../table/route-table.ts'
import { toJson } from '../values/exact-number.ts'
import { findMisfit } from '../values/json-value.ts'
import { isRecord } from '../values/values.ts'
import type { Answer, Answering } from './decision.ts'
import { graphqlErrors, InvalidResponse } from './error-response.ts'
import { fitResult } from './operations/fit-to-operation.ts'

/** The head of an answer, and the stream that follows. On a GraphQL endpoint, its events are results of a subscription. */
export function answerStream(
  { endpoint: { graphql }, route, request, raw, rules }: Answering,
  response: FixtureResponse | FunctionResponse,
): Answer {
  const isShared = streamToken(raw) !== undefined // the request that sends an operation gets no events
  const format = graphql && (isShared ? 'graphql-sse' : subscriptionFormat(raw))
  if (graphql && !format) {
    const { status, errors } = notRun(raw, [{ message: notAccepted }])
    return { response: graphqlErrors(status, errors, raw) }
  }
  const stream = readStream(response, raw, { format, body: request.body })
  if (isOver(stream)) return { response: prepareResponse({ status: 204 }, route.name) }
  const { status, delay, fault, then } = response
  const whole = Array.isArray(stream.events)
    ? stream.model?.whole(stream.events as FixtureEvent[])
    : undefined
  if (whole) {
    const { headers } = response
    return { response: prepareResponse({ status, delay, fault, then, headers, ...whole }, route.name) }
  }
  const headers = { ...headersOf(stream.framing), ...response.headers }
  const head = prepareResponse({ status, delay, fault, then, headers }, route.name)
  stream.change = ({ scenario }) =>
    scenario && rules.state.changeScenarios(scenario, clientOf(raw.headers), route.id)
  if (graphql) stream.fit = fitEvents(graphql, route, request)
  return { response: withoutHeader(head, 'content-length'), stream }
}

export function headersOf({ contentType, headers }: Framing) {
  return {
    ...headers,
    'content-type': contentType,
    // Compression of a dev server would hold events back.
    'cache-control': 'no-cache, no-transform',
    'x-content-type-options': 'nosniff',
    'x-accel-buffering': 'no',
  }
}

const notAccepted =
  'The events of a subscription are sent as text/event-stream or multipart/mixed: "accept" must allow one.'

/** The format that the client names first, as Apollo Client and urql do; `undefined` if it accepts neither. */
function subscriptionFormat({ headers }: RawRequest): StreamFormat | undefined {
  const accept = headerText(headers, 'accept') ?? '*/*'
  const [named] = /text\/event-stream|multipart\/mixed|(?:text|\*)\/\*/.exec(accept) ?? []
  return named === undefined ? undefined : named === 'multipart/mixed' ? 'multipart' : 'graphql-sse'
}

function fitEvents(
  graphql: NonNullable<Endpoint['graphql']>,
  route: CompiledRoute,
  request: ParsedRequest,
): PreparedStream['fit'] {
  const params = request.graphql!
  const [field] = params.operation?.selectionSet.selections ?? []
  const root = field && 'name' in field && 'arguments' in field ? field.name.value : undefined
  return (event) => {
    const given = event.by === 'push' && isResult(event.data) ? event.data : resultOf(withRoot(event, root))
    if (!given) return event
    const again = params.again(new Budget(graphql.maxCost))
    const { result, diagnostic = event.diagnostic } = fitResult(graphql, route, given, again, true)
    const { data, errors, extensions } = result as StreamEvent
    // Node.js 20 keeps a hidden class for each object that spreads another one and adds keys.
    return Object.assign({}, event, { data, errors, extensions, diagnostic })
  }
}

/** Wraps the data of a trigger as the value of the subscription's field, unless the data has that field itself. */
function withRoot(event: StreamEvent, root: string | undefined): StreamEvent {
  const { data, by } = event
  const isKnown = by === undefined || data === undefined || root === undefined
  if (isKnown || (isRecord(data) && Object.hasOwn(data, root))) return event
  const values = isRecord(data) ? Object.values(data) : []
  return { ...event, data: { [root]: by === 'mutation' && values.length === 1 ? values[0] : data } }
}

/** An event that a function has yielded. @throws InvalidResponse */
export function checkEvent(given: unknown): FixtureEvent {
  const { issues, output } = v.safeParse(streamEventSchema, given)
  if (issues) {
    const [found] = fromIssues(issues, () => ({ file: '' }), 'events')
    throw new InvalidResponse(`this is not an event: ${found!.message}`, found!.fix)
  }
  const misfit = findMisfit(output.data, 'data')
  if (misfit)
    throw new InvalidResponse(
      `an event can't be sent as JSON: ${misfit.path} is ${misfit.what}.`,
      'Give plain objects, lists, strings, numbers, booleans and null.',
    )
  // A circle throws here, and its bytes are those of now.
  return { ...output, ...('data' in output && { data: asSent(output.data) }) }
}

function asSent(data: unknown): unknown {
  return typeof data === 'object' && data !== null ? (JSON.parse(toJson(data)!) as unknown) : data
}
