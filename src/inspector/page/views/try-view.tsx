import { useEffect, useState } from 'preact/hooks'
import { reasonOf } from '../../../core/values/thrown.ts'
import type { Explanation } from '../../api.ts'
import { useInspector } from '../inspector.ts'
import { call } from '../logic/server.ts'
import { emptyTry, methods, parseHeaders, urlProblem, type TriedRequest } from '../logic/send.ts'
import { Page } from '../parts/controls.tsx'
import { Decision } from './decision.tsx'

export function TryView({ start }: { start: TriedRequest | undefined }) {
  const { server, send } = useInspector()
  const [request, setRequest] = useState(start ?? emptyTry)
  const [problem, setProblem] = useState<string>()
  const [explanation, setExplanation] = useState<Explanation>()
  useEffect(() => start && setRequest(start), [start])

  const set = (changed: Partial<TriedRequest>) => setRequest({ ...request, ...changed })
  const run = (act: (headers: Record<string, string>) => void) => {
    const parsed = parseHeaders(request.headers)
    const found = urlProblem(request.url) ?? ('problem' in parsed ? parsed.problem : undefined)
    setProblem(found)
    setExplanation(undefined)
    if (found === undefined && 'headers' in parsed) act(parsed.headers)
  }
  const explain = (headers: Record<string, string>) => {
    const { method, url, body } = request
    call('POST /explain', { body: { method, url, headers, ...(body && { body }) } }).then(
      setExplanation,
      (failed: unknown) => setProblem(reasonOf(failed)),
    )
  }
  const paths = [...new Set(server.routes.map(({ path }) => path))]

  return (
    <Page title="Try a request">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          run((headers) => send(request, headers))
        }}
      >
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
              onInput={(event) => set({ url: event.currentTarget.value })}
            />
          </label>
          <datalist id="paths">
            {paths.map((path) => (
              <option key={path} value={path} />
            ))}
          </datalist>
        </div>
        <label class="field">
          Headers, one per line
          <textarea
            rows={3}
            value={request.headers}
            spellcheck={false}
            placeholder="x-tenant: a"
            onInput={(event) => set({ headers: event.currentTarget.value })}
          />
        </label>
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
    </Page>
  )
}
