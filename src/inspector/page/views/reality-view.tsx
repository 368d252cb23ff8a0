import { useEffect, useState } from 'preact/hooks'
import { plural } from '../../../core/values/describe-value.ts'
import type { RealDifference, RealityState } from '../../api/api.ts'
import { useInspector } from '../inspector.ts'
import { capitalized } from '../logic/format.ts'
import { call } from '../logic/server.ts'
import { Action, Button, Check, Page, PositionLink } from '../parts/controls.tsx'
import { Form } from '../parts/fields.tsx'
import { Code } from '../parts/values.tsx'

/** List of what the fixtures say and the backend no longer does. */
export function RealityView() {
  const { run, say, server } = useInspector()
  const [reality, setReality] = useState<RealityState>()
  const [isAsking, setAsking] = useState(false)
  const change = (work: Promise<RealityState>, done = '') =>
    run(work, (now) => {
      setReality(now)
      if (done !== '') say(done)
    })
  useEffect(() => void change(call('GET /reality')), [server.diagnostics, server.requests.length])
  if (!reality) return <Page title="Reality">{null}</Page>
  const { target, compare, compared, accepted, total, differences } = reality
  const compareNow = async () => {
    setAsking(true)
    await change(call('POST /reality'))
    setAsking(false)
  }
  const take = (ids: string[]) =>
    change(
      call('POST /reality/take', { body: { ids } }),
      `${plural(ids.length, 'difference')} written into the fixtures.`,
    )
  const takeable = differences.filter(({ canTake }) => canTake).map(({ id }) => id)
  return (
    <Page
      title="Reality"
      tools={
        target !== undefined && (
          <>
            <Check
              label="While you work"
              checked={compare}
              onChange={() => void change(call('PUT /reality', { body: { compare: !compare } }))}
              title="Each request that a fixture has answered is also sent to the backend, at most once in ten minutes for each route"
            />
            {takeable.length > 1 && (
              <Action label={`Take all ${takeable.length}`} onClick={() => void take(takeable)} />
            )}
            <Button class="primary" disabled={isAsking} onClick={() => void compareNow()}>
              Compare now
            </Button>
          </>
        )
      }
    >
      {target === undefined ? (
        <p class="empty">
          No backend to compare with. Name it in the options of the plugin:{' '}
          <code>record: &#123; target &#125;</code>
        </p>
      ) : (
        <p role="status">
          {compared === 0
            ? `Nothing is compared with ${target} yet.`
            : `${plural(compared, 'route')} compared with ${target}: ${plural(total, 'difference')}${total > differences.length ? `, of which ${differences.length} are listed` : ''}, ${accepted} accepted`}
        </p>
      )}
      <ul class="stack">
        {differences.map((one) => (
          <DifferenceItem
            key={one.id}
            difference={one}
            take={() => void take([one.id])}
            accept={(reason) =>
              change(call('POST /reality/accept', { body: { id: one.id, reason } }), 'Accepted.')
            }
          />
        ))}
      </ul>
    </Page>
  )
}

const tones = { error: 'tone-failed', warning: 'tone-bad', note: '' }

function DifferenceItem(props: {
  difference: RealDifference
  take: () => void
  accept: (reason: string) => Promise<unknown>
}) {
  const { difference, take, accept } = props
  const { severity, code, message, fix, sent, alsoIn, ours, theirs, canTake, newRoute, file } = difference
  const { run, say } = useInspector()
  const [reason, setReason] = useState<string>()
  const write = async () => {
    const body = { file: file ?? 'fixtures/real.yaml', routes: newRoute! }
    await run(
      call('POST /edit', { body }).then(({ file, text, version }) =>
        call('PUT /edit', { body: { file, text, version } }),
      ),
      () => say('Written as a route of a scenario.'),
    )
  }
  return (
    <li class={`problem stack tight card edged ${tones[severity]}`}>
      <p class="row wide">
        <strong>{capitalized(severity)}</strong>
        <PositionLink position={difference} />
        <code class="muted">{code}</code>
      </p>
      <p>{message}</p>
      <p class="muted">
        {[`Sent: ${sent.join(', ')}`, ...(alsoIn.length > 0 ? [`also in ${alsoIn.join(', ')}`] : [])].join(
          '; ',
        )}
        . {fix}
      </p>
      <p class="line">
        {canTake && <Action label="Take theirs" onClick={take} />}
        {newRoute !== undefined && <Action label="Write it as a route" onClick={() => void write()} />}
        <Action
          label="Accept"
          onClick={() => setReason(reason === undefined ? '' : undefined)}
          aria-expanded={reason !== undefined}
        />
      </p>
      {reason !== undefined && (
        <Form class="line" onSubmit={() => void accept(reason)}>
          <input
            aria-label="Reason"
            placeholder="Why it may differ"
            required
            value={reason}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
          <Button type="submit">Add to mock-api-accepted.yaml</Button>
        </Form>
      )}
      {(ours ?? theirs) !== undefined && (
        <details>
          <summary>Both answers</summary>
          <div class="sides">
            <section aria-label="Ours">
              <h3>Ours</h3>
              {ours !== undefined && <Code text={ours} what="our answer" />}
            </section>
            <section aria-label="Theirs">
              <h3>Theirs</h3>
              {theirs !== undefined && <Code text={theirs} what="their answer" />}
            </section>
          </div>
        </details>
      )}
    </li>
  )
}
