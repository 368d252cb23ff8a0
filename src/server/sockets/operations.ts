import { CloseCode, makeServer } from 'graphql-ws'
import { changeScenarios } from '../../core/answer/change-scenarios.ts'
import { decide, handleOperationsBy } from '../../core/answer/decide.ts'
import type { Decision } from '../../core/answer/decision.ts'
import { handleGraphQL } from '../../core/answer/operations/handle-graphql.ts'
import { type FoundRequest, scenarioNotices } from '../../core/answer/receive.ts'
import type { Rules } from '../../core/answer/rules.ts'
import type { Report } from '../../core/diagnostics/diagnostic.ts'
import type { Headers, RawRequest } from '../../core/http/raw-request.ts'
import { clientOf } from '../../core/http/whose-state.ts'
import type { StreamFault } from '../../core/schema/fault-schema.ts'
import { resultOf } from '../../core/stream/frames.ts'
import { bodyAsText } from '../../core/response/prepare-response.ts'
import { exactJson, toJson, withMarks, withoutMarks } from '../../core/values/exact-number.ts'
import { isRecord } from '../../core/values/values.ts'
import { wait } from '../../wire/web/web-fault.ts'
import type { Hub, OpenStream } from '../live/hub.ts'
import type { SocketClient } from './client.ts'
import { withTextsOf } from './opening-headers.ts'
import { endOf } from './route-session.ts'

export interface OperationContext {
  /** The endpoint of the next operation: fixtures are reloaded, and scenarios change. */
  findAgain: () => FoundRequest | undefined
  rulesOfUpgrade: () => Rules
  report: Report
  hub: Hub
  /** The request that has opened the WebSocket, as the inspector counts. */
  id?: number | undefined
}

/** Operations of one WebSocket at a time. */
const maxOperations = 2000
const policyViolation = 1008

/** The routes answer, so the library only has to find one operation in it. */
const anyDocument = {
  kind: 'Document',
  definitions: [{ kind: 'OperationDefinition', operation: 'query', selectionSet: { kind: 'SelectionSet' } }],
}

/** A request error: graphql-ws makes one error of what an iteration throws, and `onError` writes these instead. */
class RequestErrors extends Error {
  constructor(readonly errors: readonly unknown[]) {
    super()
  }
}

/** Queries, mutations and subscriptions over a WebSocket, answered by the routes that answer them over HTTP. */
export function serveOperations(client: SocketClient, opening: RawRequest, context: OperationContext): void {
  const left = new AbortController()
  const { hub, id: request } = context
  handleOperationsBy(handleGraphQL) // a burst would wait until it is loaded, and then hold up everything else

  const server = makeServer({
    async onSubscribe({ subscriptions, connectionParams }, _id, payload) {
      if (Object.keys(subscriptions).length > maxOperations) {
        client.close(policyViolation, 'Too many operations.')
        return never()
      }
      const result = await answerOperation({ ...payload }, connectionParams)
      return { document: anyDocument, result } as never
    },
    execute: (args) => (args as unknown as { result: unknown }).result as never,
    onNext: (_context, _id, _payload, _args, result) => result as never,
    onError: (_context, _id, _payload, [error]) =>
      (error?.originalError instanceof RequestErrors ? error.originalError.errors : undefined) as never,
  })
  const closed = server.opened(
    {
      protocol: client.protocol,
      send: (data) => client.send(withoutMarks(data)),
      close: (code = 1000, reason = '') => client.close(code, reason),
      onMessage: (read) =>
        client.onMessage((data) => {
          read(withMarks(bodyAsText(data))).catch(() =>
            client.close(CloseCode.InternalServerError, 'Internal server error'),
          )
        }),
    },
    undefined,
  )
  const release = hub.hold({ client: '', send: () => {}, close: endOf(client) })
  client.onClose((code, reason) => {
    left.abort()
    release()
    void closed(code, reason)
  })

  async function answerOperation(payload: Record<string, unknown>, params: unknown): Promise<unknown> {
    const found = context.findAgain()
    if (!found) return failWith([{ message: 'The mock API has no GraphQL endpoint here any more.' }])
    const { match, table } = found
    const rules = context.rulesOfUpgrade()
    const { url, path, search, headers } = opening
    const body = new TextEncoder().encode(toJson(payload))
    const raw = {
      method: 'POST',
      url,
      path,
      search,
      headers: headersOf(headers, params),
      params: match.params,
      body,
    }
    scenarioNotices(rules, table, raw.method, url, raw).forEach(context.report)
    const askBackend = () => Promise.resolve({ kind: 'unknown' as const })
    const asked = { match, table, raw, rules, askBackend, waitFor: <T>(work: Promise<T>) => work }
    const decided = decide(asked, { kind: 'complete', bytes: body })
    // At once if it can be: the next message of the client may ask for what this one changes.
    const decision = decided instanceof Promise ? await decided : decided
    if (decision.diagnostic) context.report(decision.diagnostic)
    if (decision.wait > 0) await wait(decision.wait, left.signal)
    changeScenarios(decision, rules.state)
    const { stream, route, response } = decision
    if (stream && route && response?.fault === undefined)
      return resultsOf(hub.open({ stream, route, client: clientOf(raw.headers), request }), (fault) =>
        client.fail(fault),
      )
    hub.emitAnswer(decision)
    return answerOf(decision)
  }

  async function answerOf({ response }: Decision): Promise<unknown> {
    if (!response) return failWith([{ message: 'No route answers this operation.' }])
    const { fault, status } = response
    if (fault !== undefined && typeof fault === 'string') {
      if (fault === 'silent') return never()
      client.fail(fault === 'empty' ? 'truncated' : fault)
      return never()
    }
    const result = exactJson(bodyAsText(response.body))?.value
    if (isRecord(result) && 'data' in result) return result
    const errors = isRecord(result) && Array.isArray(result['errors']) ? (result['errors'] as unknown[]) : []
    const message = `The mock API answered with the status ${status} and no result.`
    return failWith(errors.length > 0 ? errors : [{ message }])
  }
}

/** Unlike a generator, it can end while the next result is awaited. */
function resultsOf({ events, close }: OpenStream, fail: (fault: StreamFault) => void): AsyncGenerator {
  const first = events.next() // it listens before the next message of its client is read
  const results = readResults()
  const end = results.return.bind(results)
  return Object.assign(results, {
    return() {
      close()
      return end()
    },
  })

  async function* readResults() {
    try {
      for (let { value: event } = await first; event; { value: event } = await events.next()) {
        const result = resultOf(event) // none of a heartbeat
        if (result) yield result
        if (event.fault !== undefined) fail(event.fault)
      }
    } finally {
      close()
    }
  }
}

// eslint-disable-next-line @typescript-eslint/require-await -- it only throws
async function* failWith(errors: readonly unknown[]): AsyncGenerator {
  throw new RequestErrors(errors)
}

function never(): Promise<never> {
  return new Promise(() => {})
}

/** Headers of the operations, with values of `connection_init`. */
function headersOf(opening: Headers, params: unknown): Headers {
  const ownHeaders = { accept: undefined, upgrade: undefined, 'content-type': 'application/json' }
  return { ...withTextsOf(opening, params), ...ownHeaders }
}
