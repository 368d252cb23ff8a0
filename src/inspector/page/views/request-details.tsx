import { useEffect, useRef, useState } from 'preact/hooks'
import { reasonOf } from '../../../core/values/thrown.ts'
import type { RequestDetails, ShownBody } from '../../api/api.ts'
import { useInspector } from '../inspector.ts'
import {
  answeredBy,
  capitalized,
  formatDuration,
  formatTime,
  statusText,
  titleOf,
  toneOf,
} from '../logic/format.ts'
import { type Tab, tabs } from '../logic/place.ts'
import { call, isBefore } from '../logic/server.ts'
import { Action, Dialog, IconAction, PositionLink, Scenarios, WhoIcon } from '../parts/controls.tsx'
import { Decision } from './decision.tsx'
import { AnswerTab, RequestTab } from './exchange.tsx'
import { diffText } from '../../../files/diff-text.ts'
import { exactJson, unmarked } from '../../../core/values/exact-number.ts'
import { Diff } from '../parts/values.tsx'
import { asCurl, asFetch, isSocket, toTry } from '../logic/send.ts'
import { WriteFixture } from './write/fix.tsx'

export const detailsId = 'details'

export function RequestDetailsPane() {
  const { place, server } = useInspector()
  const details = useDetails()
  const element = useRef<HTMLElement>(null)
  useEffect(() => element.current?.scrollTo(0, 0), [place.request, place.tab])
  return (
    <section class="details column" id={detailsId} aria-label="Selected request" tabIndex={-1} ref={element}>
      {!details && (
        <div class="empty">
          <p>Select a request to see what it asked for, what it got, and why.</p>
          <p class="muted">
            {server.requests.length > 0 && (
              <>
                <kbd>j</kbd> and <kbd>k</kbd> go through the list, <kbd>?</kbd> shows all keys.
              </>
            )}
          </p>
        </div>
      )}
      {typeof details === 'string' && <p class="empty">{details}</p>}
      {typeof details === 'object' && <Details request={details} />}
    </section>
  )
}

/** Loads it again when its summary changes, as long as the server has it; a text says why it could not be loaded. */
function useDetails(): RequestDetails | string | undefined {
  const { place, server, keepDetails } = useInspector()
  const { request: id } = place
  const [failed, setFailed] = useState<{ id: number; reason: string }>()
  const summary = server.requests.find((request) => request.id === id)
  const isLive = server.connection === 'live'
  useEffect(() => {
    if (id === undefined || !isLive || isBefore(id)) return undefined
    let isCurrent = true
    call('GET /requests/{id}', { id }).then(
      (details) => isCurrent && keepDetails(details),
      (error: unknown) => isCurrent && setFailed({ id, reason: reasonOf(error) }),
    )
    return () => void (isCurrent = false)
  }, [id, summary, isLive])
  if (id === undefined) return undefined
  const known = server.details.get(id)
  if (known || !isBefore(id)) return known ?? (failed?.id === id ? failed.reason : undefined)
  return 'The dev server has restarted since then, so the details of this request are gone.'
}

function Details({ request }: { request: RequestDetails }) {
  const { place, go } = useInspector()
  return (
    <>
      <Head request={request} />
      <div
        class="tabs sticky"
        role="tablist"
        aria-label="Parts of the request"
        onKeyDown={({ key }) => {
          const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
          if (step) go({ tab: tabs.at((tabs.indexOf(place.tab) + step) % tabs.length)! })
        }}
      >
        {tabs.map((tab) => (
          <TabButton key={tab} tab={tab} />
        ))}
      </div>
      <div
        class="panel stack"
        role="tabpanel"
        id="tab-panel"
        aria-labelledby={`tab-${place.tab}`}
        tabIndex={0}
      >
        {place.tab === 'decision' && <Decision explanation={request.decision} request={request} />}
        {place.tab === 'request' && <RequestTab request={request} />}
        {place.tab === 'answer' && <AnswerTab request={request} />}
      </div>
    </>
  )
}

function TabButton({ tab }: { tab: Tab }) {
  const { place, go } = useInspector()
  const isCurrent = place.tab === tab
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const isMoved = isCurrent && document.activeElement?.role === 'tab'
    if (isMoved) button.current?.focus()
  }, [isCurrent])
  return (
    <button
      type="button"
      class="tab"
      role="tab"
      id={`tab-${tab}`}
      ref={button}
      aria-selected={isCurrent}
      aria-controls={isCurrent ? 'tab-panel' : undefined}
      tabIndex={isCurrent ? 0 : -1}
      onClick={() => go({ tab })}
    >
      {capitalized(tab)}
    </button>
  )
}

function Head({ request }: { request: RequestDetails }) {
  const { go, pin, server } = useInspector()
  const [isComparing, compare] = useState(false)
  const { pinned, details } = server
  const other = details.get(pinned.findLast((one) => one !== request.id && details.has(one)) ?? NaN)
  const { id, method, url, operationName, status, duration, time, client, route, scenarios, errors } = request
  return (
    <header class="head stack tight">
      <div class="line">
        <span class="back">
          <IconAction icon="back" label="Back to the list" onClick={() => go({ request: undefined })} />
        </span>
        <span class={`badge chip mono tone-${toneOf(request)}`}>{statusText(request)}</span>
        <h2>
          {operationName !== undefined && <span>{titleOf(request).title}</span>}
          <span class="mono">
            <span class="muted">{method}</span> {url}
          </span>
        </h2>
      </div>
      <p class="row wide">
        <span class="line">
          <WhoIcon by={request.answeredBy} status={errors ? 500 : status} />
          <span>
            {answeredBy[request.answeredBy]}
            {route && (
              <>
                : <b>{route.name}</b>
              </>
            )}
          </span>
        </span>
        {route && <PositionLink position={route} />}
        {duration !== undefined && <span class="muted">{formatDuration(duration)}</span>}
        <time class="muted">{formatTime(time)}</time>
        {request.isServer && <span class="muted">sent by the server</span>}
        {client && <span class="muted">client {client}</span>}
        <Scenarios names={scenarios} />
        <Action
          icon="pin"
          label={pinned.includes(id) ? 'Pinned' : 'Pin'}
          aria-pressed={pinned.includes(id)}
          onClick={() => pin(id)}
          title="Keep it on top (m)"
        />
        {other && <Action icon="compare" label="Compare with the pinned one" onClick={() => compare(true)} />}
      </p>
      <RequestActions request={request} />
      {isComparing && other && <Compare pinned={other} request={request} onClose={() => compare(false)} />}
    </header>
  )
}

function Compare(props: { pinned: RequestDetails; request: RequestDetails; onClose: () => void }) {
  const diff = diffText(comparedText(props.pinned), comparedText(props.request))
  return (
    <Dialog title="Compare with the pinned request" onClose={props.onClose}>
      {diff === '' ? <p>The two requests and their answers are the same.</p> : <Diff text={diff} />}
    </Dialog>
  )
}

/** Headers that differ between any two requests, and say nothing. */
const changing = /^(?:date|etag|content-length|cookie|referer|if-none-match)$/

function comparedText({ method, url, headers, body, response, route, status }: RequestDetails): string {
  const kept = (all: Record<string, string> = {}) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !changing.test(name)))
  const valueOf = ({ text, size }: ShownBody): unknown =>
    text === undefined ? `${size} bytes` : (exactJson(text)?.value ?? text)
  const answer = { status, headers: kept(response?.headers), body: response && valueOf(response.body) }
  const sent = { method, url, headers: kept(headers), body: body && valueOf(body) }
  return `${unmarked(JSON.stringify({ ...sent, route: route?.name, answer }, null, 2))}\n`
}

function RequestActions({ request }: { request: RequestDetails }) {
  const { copy, run, sendAgain, edit } = useInspector()
  const [isWriting, setWriting] = useState(false)
  const canSend = !isSocket(request)
  const copyFixture = () =>
    run(call('POST /edit', { body: { request: request.id } }), ({ text }) => copy(text, 'the fixture'))
  return (
    <div class="actions row" role="group" aria-label="Actions">
      <Action icon="write" label="Write a fixture" onClick={() => setWriting(true)} />
      {canSend && (
        <>
          <Action icon="again" label="Send again" onClick={() => sendAgain(request)} />
          <Action icon="edit" label="Edit and send" onClick={() => edit(toTry(request))} />
        </>
      )}
      <span class="links line" role="group" aria-label="Copy as">
        <span class="muted">Copy as</span>
        {canSend && (
          <>
            <Action label="cURL" onClick={() => copy(asCurl(request, location.origin), 'as cURL')} />
            <Action label="fetch" onClick={() => copy(asFetch(request), 'as fetch')} />
          </>
        )}
        <Action label="fixture" onClick={() => void copyFixture()} />
      </span>
      {isWriting && <WriteFixture request={request} onClose={() => setWriting(false)} />}
    </div>
  )
}
