import type { RequestDetails } from '../../../src/inspector/api/api.ts'
import { isMiss } from '../../../src/inspector/client/is-miss.ts'
import { formatDuration, statusKind, statusText } from '../../../src/inspector/page/logic/format.ts'
import type { TriedRequest } from '../../../src/inspector/page/logic/send.ts'
import { Action, Button, Check, PositionLink } from '../../../src/inspector/page/parts/controls.tsx'
import { AnswerTab } from '../../../src/inspector/page/views/exchange.tsx'
import type { usePlay } from './inspect.ts'
import type * as LaterModule from './later.ts'
import type { Kept } from './link.ts'
import type { PlayServer } from './play-server.ts'
import { startingPoints, type StartingPoint } from './starting-points.ts'

export type Later = typeof LaterModule

interface BarProps {
  kept: Kept
  open: (kept: Kept) => void
  copyLink: () => void
  setDialog: (dialog: 'copy' | 'import') => void
}

export function Bar({ kept, open, copyLink, setDialog }: BarProps) {
  const current = startingPoints.find(({ id }) => id === (kept as Partial<StartingPoint>).id)
  return (
    <div class="row bar">
      <label class="row">
        Start with
        <select
          value={current?.id ?? ''}
          onChange={({ currentTarget: { value } }) => {
            history.replaceState(history.state, '', `#${value}`)
            open(startingPoints.find(({ id }) => id === value)!)
          }}
        >
          {!current && <option value="">Your own</option>}
          {startingPoints.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <Action icon="write" label="Import" onClick={() => setDialog('import')} />
      <Action icon="copy" label="Copy link" onClick={copyLink} />
      <Action icon="file" label="Copy for your project" onClick={() => setDialog('copy')} />
    </div>
  )
}

export function Problems({ diagnostics, isBroken }: ReturnType<PlayServer['shown']>) {
  return (
    <div class="stack tight" role="status" aria-label="Problems">
      {diagnostics.map((one) => (
        <p
          class={`notice edged tone-${one.severity === 'error' ? 'failed' : 'bad'}`}
          key={JSON.stringify(one)}
        >
          {one.line !== undefined && (
            <PositionLink position={one} text={`Line ${one.line}, column ${one.column}:`} />
          )}{' '}
          {one.message} {one.fix}
        </p>
      ))}
      {isBroken && <p class="muted">Until it can be read, the routes before answer.</p>}
    </div>
  )
}

export function Presets({
  requests,
  request,
  choose,
}: {
  requests: Kept['requests']
  request: TriedRequest
  choose: (one: TriedRequest) => void
}) {
  return (
    <div class="row" role="group" aria-label="Requests">
      {requests.map((one, index) => (
        <Button key={index} aria-pressed={sameRequest(one, request)} onClick={() => choose(one)}>
          {one.name}
        </Button>
      ))}
    </div>
  )
}

/** What requests and switches have changed. */
export function State({ shown, server, setScenario, reset }: ReturnType<typeof usePlay>) {
  const { known, scenario } = shown
  const cookies = [...(server?.cookies ?? [])].map(([name, value]) => `${name}=${value}`)
  return (
    <>
      {known.map(({ name }) => (
        <Check
          key={name}
          label={`Scenario ${name}`}
          checked={scenario.includes(name)}
          onChange={(isOn) =>
            setScenario(isOn ? [...scenario, name] : scenario.filter((one) => one !== name))
          }
        />
      ))}
      {cookies.length > 0 && <span class="chip">{`Cookie ${cookies.join('; ')}`}</span>}
      <Action
        icon="back"
        label="Start again"
        onClick={reset}
        title="Forgets scenarios, sequences, items, cookies and limits"
      />
    </>
  )
}

export function Answer({
  details,
  isSmall,
  later,
  stop,
}: {
  details: RequestDetails
  isSmall: boolean
  later: Later | undefined
  stop: () => void
}) {
  const { status, route, duration, stream, response } = details
  const decision =
    isSmall || !later ? (
      <p class="summary">{details.decision.summary}</p>
    ) : (
      <later.Decision explanation={details.decision} request={details} />
    )
  const isWaiting =
    stream?.state === 'open' || (duration === undefined && status === undefined && !details.isAborted)
  return (
    <section class="stack answer" aria-label="Answer">
      <h2 class="visually-hidden">Answer</h2>
      <p class="row wide" role="status">
        <span class={`badge chip mono tone-${statusKind(status)}`}>{status ?? statusText(details)}</span>
        {route && <b>{route.name}</b>}
        {duration !== undefined && <span class="muted">{formatDuration(duration)}</span>}
        {isWaiting && !isSmall && <Action icon="close" label="Stop" onClick={stop} />}
      </p>
      {isMiss(details) && decision}
      {response && <AnswerTab key={details.id} request={details} />}
      {!isMiss(details) && decision}
    </section>
  )
}

export function sameRequest(a: TriedRequest, b: TriedRequest): boolean {
  return a.method === b.method && a.url === b.url && a.headers === b.headers && a.body === b.body
}
