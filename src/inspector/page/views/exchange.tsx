import { plural } from '../../../core/values/describe-value.ts'
import { exactJson } from '../../../core/values/exact-number.ts'
import type { Json, RequestDetails, NewPush, ShownBody } from '../../api/api.ts'
import { formatDocument } from '../logic/editing/format-document.ts'
import { shownErrors, graphqlPayload } from '../logic/values.ts'
import { Section, Action, Dialog, Problem } from '../parts/controls.tsx'
import { Body, Code, Headers, JsonTree, Pairs } from '../parts/values.tsx'
import { SadPaths } from './sad-paths.tsx'
import { useState } from 'preact/hooks'
import { useInspector } from '../inspector.ts'
import { formatDuration, formatSize, streamText } from '../logic/format.ts'
import { asJson } from '../../../core/values/json-value.ts'
import { call } from '../logic/server.ts'
import { AreaField, Form } from '../parts/fields.tsx'

export function RequestTab({ request }: { request: RequestDetails }) {
  const { url, headers, body } = request
  const query = url.includes('?') ? [...new URLSearchParams(url.slice(url.indexOf('?')))] : []
  return (
    <>
      {query.length > 0 && (
        <Section title="Query">
          <Pairs entries={query} />
        </Section>
      )}
      {body && <SentBody request={request} body={body} />}
      <Headers headers={headers} />
      {query.length === 0 && !body && <p class="muted">No query and no body.</p>}
    </>
  )
}

/** The body of a GraphQL request is split, so that the document can be read. */
function SentBody({ request, body }: { request: RequestDetails; body: ShownBody }) {
  const { operationName, headers } = request
  const json = body.text !== undefined && !body.isCut ? exactJson(body.text) : undefined
  const payload = json && graphqlPayload(json.value as Json)
  if (!payload)
    return (
      <Section title="Body">
        <Body body={body} what="the body" type={headers['content-type']} />
      </Section>
    )
  const { query, variables, others: all } = payload
  // The header of the details shows it already.
  const others = Object.fromEntries(
    Object.entries(all).filter(([key, value]) => key !== 'operationName' || value !== operationName),
  )
  return (
    <>
      <Section title="Document">
        <Code text={formatDocument(query)} what="the document" isGraphQL />
      </Section>
      {variables !== undefined && (
        <Section title="Variables">
          <JsonTree value={variables} label="Variables" />
        </Section>
      )}
      {Object.keys(others).length > 0 && (
        <Section title="Other fields">
          <JsonTree value={others} label="Other fields" />
        </Section>
      )}
    </>
  )
}

export function AnswerTab({ request }: { request: RequestDetails }) {
  const { response, answeredBy } = request
  if (!response) {
    const isPassedOn = answeredBy === 'passed-on'
    return (
      <p class="muted">
        {isPassedOn
          ? 'Passed on. The dev server, a proxy or the application answered, and the answer was not recorded.'
          : 'Not answered yet.'}
      </p>
    )
  }
  const { headers, body, fault } = response
  if (request.stream)
    return (
      <>
        <Stream request={request} />
        <Headers headers={headers} />
      </>
    )
  return (
    <>
      {fault !== undefined && (
        <p class="notice edged tone-failed">
          The fault <code>{fault}</code> broke this answer.
        </p>
      )}
      <GraphqlErrors request={request} />
      <p class="actions row">
        <NextAnswer request={request} />
      </p>
      <SadPaths request={request}>
        <Section title="Body">
          <Body body={body} what="the answer" type={headers['content-type']} />
        </Section>
      </SadPaths>
      <Headers headers={headers} />
    </>
  )
}

/** With HTTP 200, nothing else shows that a GraphQL request failed. */
function GraphqlErrors({ request }: { request: RequestDetails }) {
  const { operationType, operationName, response } = request
  const isGraphQL = operationType !== undefined || operationName !== undefined
  const json = isGraphQL && response?.body.text !== undefined ? exactJson(response.body.text) : undefined
  const errors = json ? shownErrors(json.value as Json) : []
  if (errors.length === 0) return null
  return (
    <div class="notice edged tone-failed">
      <h3>{plural(errors.length, 'GraphQL error')}</h3>
      <ul>
        {errors.map(({ message, path, locations }, index) => (
          <li key={index}>
            {message}
            {(path !== undefined || locations.length > 0) && (
              <span class="muted">
                {' '}
                {path !== undefined && <code>{path}</code>}{' '}
                {locations.length > 0 && `at ${locations.join(', ')} of the document`}
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

const maxOffered = 5

function Stream({ request }: { request: RequestDetails }) {
  const { stream, frames = [] } = request
  const newest = frames.toReversed()
  return (
    <Section title={streamText(stream!)}>
      {stream!.state === 'open' && (
        <PushForm
          request={request.id}
          payloads={[...new Set(newest.map(({ text }) => text))].slice(0, maxOffered)}
        />
      )}
      <ol class="frames">
        {newest.map(({ direction, time, size, event, text }, index) => (
          <li key={frames.length - index} class="line">
            <span class="muted mono" title={direction}>
              {direction === 'sent' ? '↓' : '↑'} {formatDuration(time)}
            </span>
            {event !== undefined && <span class="chip">{event}</span>}
            <code class="target">{text}</code>
            <span class="muted mono">{formatSize(size)}</span>
          </li>
        ))}
      </ol>
    </Section>
  )
}

function PushForm({ request, payloads }: { request: number; payloads: readonly string[] }) {
  const { say, run } = useInspector()
  const [text, setText] = useState(payloads[0] ?? '{}')
  const push = (what: Omit<NewPush, 'request'>) =>
    run(
      call('POST /push', { body: { request, ...what } }),
      ({ streams }) => streams === 0 && say('The stream has ended.'),
    )
  return (
    <Form class="stack" onSubmit={() => void push({ data: (asJson(text)?.value ?? text) as Json })}>
      <AreaField label="Payload" rows={3} value={text} onText={setText} />
      {payloads.length > 1 && (
        <label class="field">
          Sent before
          <select value="" onChange={(event) => setText(event.currentTarget.value)}>
            <option value="">…</option>
            {payloads.map((payload) => (
              <option key={payload}>{payload}</option>
            ))}
          </select>
        </label>
      )}
      <p class="row">
        <button type="submit">Push</button>
        <Action label="Close" onClick={() => void push({ end: 'complete' })} />
        <Action label="Break the connection" onClick={() => void push({ end: 'reset' })} />
      </p>
    </Form>
  )
}

/** Shown only for answers that are known as text, and for requests of an endpoint. */
function NextAnswer({ request }: { request: RequestDetails }) {
  const [isOpen, setOpen] = useState(false)
  const { response, decision } = request
  if (response?.body.text === undefined || response.body.isCut || decision.endpoint === undefined) return null
  return (
    <>
      <Action icon="edit" label="Edit the next answer" onClick={() => setOpen(true)} />
      {isOpen && <Editor request={request} text={response.body.text} onClose={() => setOpen(false)} />}
    </>
  )
}

function Editor(props: { request: RequestDetails; text: string; onClose: () => void }) {
  const { request, text, onClose } = props
  const { override } = useInspector()
  const { operationName, response, decision } = request
  const { headers, status: sent } = response!
  const given = asJson(text)
  const [body, setBody] = useState(given ? JSON.stringify(given.value, null, 2) : text)
  const [status, setStatus] = useState(sent)
  const [problem, setProblem] = useState<string>()
  const type = headers['content-type']
  const set = () => {
    const json = given ? asJson(body) : { value: body }
    if (!json) return setProblem('The body is not JSON.')
    override({
      nextAnswer: {
        endpoint: decision.endpoint!,
        ...(operationName !== undefined && { operationName }),
        status,
        ...(type !== undefined && { headers: { 'content-type': type } }),
        body: json.value,
      },
    })
    onClose()
  }
  return (
    <Dialog title={`The next answer of ${operationName ?? decision.endpoint}`} onClose={onClose}>
      <Form class="stack" onSubmit={set}>
        <label class="field">
          Status
          <input
            type="number"
            min={200}
            max={599}
            required
            value={status}
            onInput={(event) => setStatus(event.currentTarget.valueAsNumber)}
          />
        </label>
        <AreaField label="Body" rows={16} value={body} onText={setBody} />
        <Problem text={problem} />
        <p class="row">
          <button type="submit" class="primary">
            Send with the next answer
          </button>
          <span class="muted">Sent once. No file changes.</span>
        </p>
      </Form>
    </Dialog>
  )
}
