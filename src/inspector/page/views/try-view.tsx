import { useCallback, useEffect, useState } from 'preact/hooks'
import { reasonOf } from '../../../core/values/thrown.ts'
import type { Explanation, RequestDetails } from '../../api/api.ts'
import { type SentAnswer, useInspector } from '../inspector.ts'
import { completeGraphql, type GraphqlTypes, readTypes } from '../logic/editing/complete-graphql.ts'
import { answeredBy, formatDuration, statusKind, statusText } from '../logic/format.ts'
import { formatAddress } from '../logic/place.ts'
import { call, isBefore } from '../logic/server.ts'
import {
  emptyTry,
  fromGraphql,
  type GraphqlTry,
  methods,
  parseHeaders,
  toGraphql,
  toTry,
  type TriedRequest,
  urlProblem,
} from '../logic/send.ts'
import { CompletingArea } from '../parts/completing-area.tsx'
import { Button, Check, Page, Problem } from '../parts/controls.tsx'
import { AreaField, Form, TextField } from '../parts/fields.tsx'
import { Body } from '../parts/values.tsx'
import { Decision } from './decision.tsx'
import { AnswerTab } from './exchange.tsx'

export function TryView({ start }: { start: TriedRequest | undefined }) {
  const { send } = useInspector()
  const [request, setRequest] = useState(start ?? emptyTry)
  const [problem, setProblem] = useState<string>()
  const [explanation, setExplanation] = useState<Explanation>()
  const [sent, setSent] = useState<number>()
  const [answer, setAnswer] = useState<SentAnswer>()
  useEffect(() => start && setRequest(start), [start])

  const set = (changed: Partial<TriedRequest>) => setRequest({ ...request, ...changed })
  const run = (act: (headers: Record<string, string>) => void) => {
    const parsed = parseHeaders(request.headers)
    const found = urlProblem(request.url) ?? ('problem' in parsed ? parsed.problem : undefined)
    setProblem(found)
    setExplanation(undefined)
    setSent(undefined)
    setAnswer(undefined)
    if (found === undefined && 'headers' in parsed) act(parsed.headers)
  }
  const explain = (headers: Record<string, string>) => {
    const { method, url, body } = request
    call('POST /explain', { body: { method, url, headers, ...(body && { body }) } }).then(
      setExplanation,
      (failed: unknown) => setProblem(reasonOf(failed)),
    )
  }

  return (
    <Page title="Try a request">
      <Form
        class="try stack"
        onSubmit={() => run((headers) => void send(request, headers, setSent).then(setAnswer))}
      >
        <RequestFields request={request} set={set} />
        <p class="row">
          <button type="submit" class="primary">
            Send
          </button>
          <Button onClick={() => run(explain)}>Explain without sending</Button>
        </p>
      </Form>
      <Problem text={problem} />
      {explanation && <Decision explanation={explanation} />}
      {(sent ?? answer) !== undefined && <Sent id={sent} answer={answer} />}
    </Page>
  )
}

interface FieldsProps {
  request: TriedRequest
  set: (changed: Partial<TriedRequest>) => void
}

export function RequestFields({ request, set }: FieldsProps) {
  return (
    <>
      <Line request={request} set={set} />
      <AreaField
        label="Headers, one per line"
        rows={2}
        value={request.headers}
        placeholder="x-tenant: a"
        onText={(headers) => set({ headers })}
      />
      <BodyFields request={request} set={set} />
    </>
  )
}

function Line({ request, set }: FieldsProps) {
  const { server } = useInspector()
  const paths = new Set([...server.routes.map(({ path }) => path), ...server.requests.map(({ url }) => url)])
  return (
    <div class="try-line">
      <label class="field">
        Method
        <select value={request.method} onChange={(event) => set({ method: event.currentTarget.value })}>
          {methods.map((method) => (
            <option key={method}>{method}</option>
          ))}
        </select>
      </label>
      <TextField
        label="Path and query"
        value={request.url}
        offered={paths}
        onInput={(event) => {
          const url = event.currentTarget.value
          const route = server.routes.find(({ path }) => path === url)
          set({ url, ...(route && { method: route.method }) })
        }}
      />
    </div>
  )
}

/** On a GraphQL endpoint the parts of the body, unless somebody wants it as it is. */
function BodyFields({ request, set }: FieldsProps) {
  const { server } = useInspector()
  const [isRaw, setRaw] = useState(false)
  const [path] = request.url.split('?', 1)
  const isGraphQL = server.routes.some((route) => route.isGraphQL && route.path === path)
  const parts = isGraphQL && request.method === 'POST' ? toGraphql(request.body) : undefined
  return (
    <>
      {parts && <Check label="GraphQL" checked={!isRaw} onChange={(isOn) => setRaw(!isOn)} />}
      {parts && !isRaw ? (
        <GraphqlFields set={set} parts={parts} />
      ) : (
        <AreaField
          label="Body"
          rows={8}
          value={request.body}
          placeholder={'{ "operationName": "FailingQuery" }'}
          onText={(body) => set({ body })}
        />
      )}
    </>
  )
}

function GraphqlFields({ set, parts }: Pick<FieldsProps, 'set'> & { parts: GraphqlTry }) {
  const { server } = useInspector()
  const [types, setTypes] = useState<GraphqlTypes>()
  /** The document of a recorded request, which the name of another operation replaces. */
  const [filled, setFilled] = useState('')
  useEffect(() => {
    call('GET /graphql-schema').then(
      ({ sdl }) => sdl && setTypes(readTypes(sdl)),
      () => {},
    )
  }, [server.diagnostics]) // loaded with the fixtures, and not changed by each request as the routes are
  const setPart = (changed: Partial<GraphqlTry>) => set({ body: fromGraphql({ ...parts, ...changed }) })
  const recorded = server.requests.filter(({ operationName, id }) => operationName && !isBefore(id))
  const written = [...parts.query.matchAll(/\b(?:query|mutation|subscription)\s+(\w+)/g)].map(
    ([, name]) => name!,
  )
  const ofRoutes = server.routes.flatMap(({ when }) => operationIn(when))
  const names = new Set([...written, ...ofRoutes, ...recorded.map(({ operationName }) => operationName!)])
  const choose = async (operationName: string) => {
    setPart({ operationName })
    const known = recorded.find((one) => one.operationName === operationName)
    if (!known || (parts.query !== '' && parts.query !== filled)) return
    const { body } = toTry(await call('GET /requests/{id}', { id: known.id }))
    setFilled(toGraphql(body)?.query ?? '')
    set({ body })
  }
  return (
    <>
      <TextField
        label="Operation name"
        value={parts.operationName}
        offered={names}
        onInput={(event) => void choose(event.currentTarget.value)}
      />
      <div class="field">
        Document
        <CompletingArea
          label="Document"
          text={parts.query}
          rows={8}
          placeholder="query Hero { hero { name } }"
          begun={/\w$|[{(]\s*$/}
          complete={useCallback((text, caret) => types && completeGraphql(text, caret, types), [types])}
          onInput={(query) => setPart({ query })}
        />
      </div>
      <AreaField
        label="Variables"
        rows={3}
        value={parts.variables}
        placeholder={'{ "id": "7" }'}
        onText={(variables) => setPart({ variables })}
      />
    </>
  )
}

function operationIn(when: unknown): string[] {
  const name = (when as { operationName?: unknown } | undefined)?.operationName
  return typeof name === 'string' ? [name] : []
}

/** A request that is passed on may not be in the list, and its answer is not recorded. */
function Sent({ id, answer }: { id: number | undefined; answer: SentAnswer | undefined }) {
  const { place, server } = useInspector()
  const [request, setRequest] = useState<RequestDetails>()
  const summary = server.requests.find((one) => one.id === id)
  useEffect(() => {
    if (id !== undefined) call('GET /requests/{id}', { id }).then(setRequest, () => {})
  }, [id, summary])
  if (!request && !answer) return null
  const status = request?.status ?? answer?.status
  return (
    <section class="stack" aria-label="The answer">
      <p class="row wide" role="status">
        <span class={`badge chip mono tone-${statusKind(status)}`}>
          {status ?? (request && statusText(request))}
        </span>
        {request ? (
          <>
            {request.route && <b>{request.route.name}</b>}
            {request.duration !== undefined && <span class="muted">{formatDuration(request.duration)}</span>}
            <a href={formatAddress({ ...place, view: 'requests', request: request.id, tab: 'decision' })}>
              Why this answer
            </a>
          </>
        ) : (
          <span>{answeredBy['passed-on']}</span>
        )}
      </p>
      {answer && !request?.response ? (
        <Body
          body={{ text: answer.text, size: answer.text.length, isCut: false }}
          what="the answer"
          type={answer.type}
        />
      ) : (
        request && <AnswerTab request={request} />
      )}
    </section>
  )
}
