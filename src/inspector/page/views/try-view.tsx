import { useEffect, useState } from 'preact/hooks'
import { reasonOf } from '../../../core/values/thrown.ts'
import type { Explanation, RequestDetails } from '../../api.ts'
import { useInspector } from '../inspector.ts'
import { formatDuration, statusKind, statusText } from '../logic/format.ts'
import { formatPlace } from '../logic/place.ts'
import { call } from '../logic/server.ts'
import {
  emptyTry,
  fromGraphql,
  type GraphqlTry,
  methods,
  parseHeaders,
  toGraphql,
  type TriedRequest,
  urlProblem,
} from '../logic/send.ts'
import { Check, Page } from '../parts/controls.tsx'
import { Decision } from './decision.tsx'
import { AnswerTab } from './exchange.tsx'

export function TryView({ start }: { start: TriedRequest | undefined }) {
  const { send } = useInspector()
  const [request, setRequest] = useState(start ?? emptyTry)
  const [problem, setProblem] = useState<string>()
  const [explanation, setExplanation] = useState<Explanation>()
  const [sent, setSent] = useState<number>()
  useEffect(() => start && setRequest(start), [start])

  const set = (changed: Partial<TriedRequest>) => setRequest({ ...request, ...changed })
  const run = (act: (headers: Record<string, string>) => void) => {
    const parsed = parseHeaders(request.headers)
    const found = urlProblem(request.url) ?? ('problem' in parsed ? parsed.problem : undefined)
    setProblem(found)
    setExplanation(undefined)
    setSent(undefined)
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
      <form
        class="try stack"
        onSubmit={(event) => {
          event.preventDefault()
          run((headers) => send(request, headers, setSent))
        }}
      >
        <Line request={request} set={set} />
        <label class="field">
          Headers, one per line
          <textarea
            rows={2}
            value={request.headers}
            spellcheck={false}
            placeholder="x-tenant: a"
            onInput={(event) => set({ headers: event.currentTarget.value })}
          />
        </label>
        <BodyFields request={request} set={set} />
        <p class="row">
          <button type="submit" class="primary">
            Send
          </button>
          <button type="button" onClick={() => run(explain)}>
            Explain without sending
          </button>
        </p>
      </form>
      {problem !== undefined && (
        <p class="notice edged tone-failed" role="alert">
          {problem}
        </p>
      )}
      {explanation && <Decision explanation={explanation} />}
      {sent !== undefined && <Sent id={sent} />}
    </Page>
  )
}

interface FieldsProps {
  request: TriedRequest
  set: (changed: Partial<TriedRequest>) => void
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
      <label class="field">
        Path and query
        <input
          class="mono"
          value={request.url}
          list="paths"
          spellcheck={false}
          autocomplete="off"
          onInput={(event) => {
            const url = event.currentTarget.value
            const route = server.routes.find(({ path }) => path === url)
            set({ url, ...(route && { method: route.method }) })
          }}
        />
      </label>
      <datalist id="paths">
        {[...paths].map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </div>
  )
}

/** On a GraphQL endpoint the parts of the body, unless somebody wants it as it is. */
function BodyFields({ request, set }: FieldsProps) {
  const { server } = useInspector()
  const [isRaw, setRaw] = useState(false)
  const [path] = request.url.split('?', 1)
  const routes = server.routes.filter((route) => route.isGraphQL && route.path === path)
  const parts = routes.length > 0 && request.method === 'POST' ? toGraphql(request.body) : undefined
  const names = routes.flatMap(({ when }) => operationIn(when))
  const setPart = (changed: Partial<GraphqlTry>) => set({ body: fromGraphql({ ...parts!, ...changed }) })
  return (
    <>
      {parts && (
        <Check checked={!isRaw} onChange={(isOn) => setRaw(!isOn)}>
          GraphQL
        </Check>
      )}
      {parts && !isRaw ? (
        <>
          <label class="field">
            Document
            <textarea
              rows={8}
              value={parts.query}
              spellcheck={false}
              placeholder="query Hero { hero { name } }"
              onInput={(event) => setPart({ query: event.currentTarget.value })}
            />
          </label>
          <label class="field">
            Variables
            <textarea
              rows={3}
              value={parts.variables}
              spellcheck={false}
              placeholder={'{ "id": "7" }'}
              onInput={(event) => setPart({ variables: event.currentTarget.value })}
            />
          </label>
          <label class="field">
            Operation name
            <input
              class="mono"
              list="operations"
              value={parts.operationName}
              spellcheck={false}
              autocomplete="off"
              onInput={(event) => setPart({ operationName: event.currentTarget.value })}
            />
          </label>
          <datalist id="operations">
            {names.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      ) : (
        <label class="field">
          Body
          <textarea
            rows={8}
            value={request.body}
            spellcheck={false}
            placeholder={'{ "operationName": "FailingQuery" }'}
            onInput={(event) => set({ body: event.currentTarget.value })}
          />
        </label>
      )}
    </>
  )
}

function operationIn(when: unknown): string[] {
  const name = (when as { operationName?: unknown } | undefined)?.operationName
  return typeof name === 'string' ? [name] : []
}

function Sent({ id }: { id: number }) {
  const { place, server } = useInspector()
  const [request, setRequest] = useState<RequestDetails>()
  const summary = server.requests.find((one) => one.id === id)
  useEffect(() => void call('GET /requests/{id}', { id }).then(setRequest, () => {}), [id, summary])
  if (!request) return null
  return (
    <section class="stack" aria-label="The answer">
      <p class="row wide" role="status">
        <span class={`badge chip mono tone-${statusKind(request.status)}`}>{statusText(request)}</span>
        {request.route && <b>{request.route.name}</b>}
        {request.duration !== undefined && <span class="muted">{formatDuration(request.duration)}</span>}
        <a href={formatPlace({ ...place, view: 'requests', request: id, tab: 'decision' })}>
          Why this answer
        </a>
      </p>
      <AnswerTab request={request} />
    </section>
  )
}
