import { useState } from 'preact/hooks'
import type { Json, NewPush, RequestDetails } from '../../api/api.ts'
import { useInspector } from '../inspector.ts'
import { formatDuration, formatSize, streamText } from '../logic/format.ts'
import { asJson } from '../../../core/values/json-value.ts'
import { Action, Section } from '../parts/controls.tsx'
import { call } from '../logic/server.ts'
import { AreaField, Form } from '../parts/fields.tsx'

const maxOffered = 5

export function Stream({ request }: { request: RequestDetails }) {
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
        <Action onClick={() => void push({ end: 'complete' })}>Close</Action>
        <Action onClick={() => void push({ end: 'reset' })}>Break the connection</Action>
      </p>
    </Form>
  )
}
