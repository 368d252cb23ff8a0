import { useEffect, useRef, useState } from 'preact/hooks'
import type { RequestDetails } from '../../api.ts'
import { useInspector } from '../inspector-context.ts'
import { call, reasonOf } from '../logic/api-client.ts'
import { answeredBy, formatDuration, formatTime, statusKind, statusText, titleOf } from '../logic/format.ts'
import { tabs, type Tab } from '../logic/place.ts'
import { Action, PositionLink } from '../parts/buttons.tsx'
import { WhoIcon } from '../parts/icons.tsx'
import { AnswerTab } from './answer-tab.tsx'
import { Decision } from './decision.tsx'
import { RequestActions } from './request-actions.tsx'
import { RequestTab } from './request-tab.tsx'

export const detailsId = 'details'

/** The selected request. */
export function RequestDetailsPane() {
  const { place, server } = useInspector()
  const details = useDetails()
  const element = useRef<HTMLElement>(null)
  // Scroll to the top for another request or tab.
  useEffect(() => element.current?.scrollTo(0, 0), [place.request, place.tab])
  return (
    <section class="details" id={detailsId} aria-label="Selected request" tabIndex={-1} ref={element}>
      {!details && (
        <div class="empty">
          <p>Select a request to see what was asked, what was answered, and why.</p>
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

/** Loads the selected request, and again when its summary changes; a text says why it could not be loaded. */
function useDetails(): RequestDetails | string | undefined {
  const { place, server } = useInspector()
  const { request: id } = place
  const [loaded, setLoaded] = useState<{ id: number; details: RequestDetails | string }>()
  const summary = server.requests.find((request) => request.id === id)
  const isLive = server.connection === 'live'
  useEffect(() => {
    if (id === undefined || !isLive) return undefined
    let isCurrent = true
    const keep = (details: RequestDetails | string) => isCurrent && setLoaded({ id, details })
    call('GET /requests/{id}', { id }).then(keep, (failed: unknown) => keep(reasonOf(failed)))
    return () => void (isCurrent = false)
  }, [id, summary, isLive])
  return id !== undefined && loaded?.id === id ? loaded.details : undefined
}

const tabNames: Record<Tab, string> = { decision: 'Decision', request: 'Request', answer: 'Answer' }

function Details({ request }: { request: RequestDetails }) {
  const { place, go } = useInspector()
  return (
    <>
      <Head request={request} />
      <div
        class="tabs"
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
        {place.tab === 'decision' && <Decision explanation={request.decision} />}
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
      role="tab"
      id={`tab-${tab}`}
      ref={button}
      aria-selected={isCurrent}
      aria-controls={isCurrent ? 'tab-panel' : undefined}
      tabIndex={isCurrent ? 0 : -1}
      onClick={() => go({ tab })}
    >
      {tabNames[tab]}
    </button>
  )
}

function Head({ request }: { request: RequestDetails }) {
  const { go } = useInspector()
  const { method, url, operationName, status, duration, time, client, route, scenarios } = request
  return (
    <header class="head">
      <div class="head-line line">
        <span class="back">
          <Action icon="back" isSmall onClick={() => go({ request: undefined })}>
            Back to the list
          </Action>
        </span>
        <span class={`badge tone-${statusKind(status)}`}>{statusText(request)}</span>
        <h2>
          {operationName !== undefined && <span class="operation">{titleOf(request).title}</span>}
          <span class="address">
            <span class="method">{method}</span> {url}
          </span>
        </h2>
      </div>
      <p class="facts row muted">
        <span class="fact line">
          <WhoIcon by={request.answeredBy} />
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
        {duration !== undefined && <span>{formatDuration(duration)}</span>}
        <time>{formatTime(time)}</time>
        {client && <span>client {client}</span>}
        {scenarios.map((name) => (
          <span class="chip tone-bad" key={name}>
            {name}
          </span>
        ))}
      </p>
      <RequestActions request={request} />
    </header>
  )
}
