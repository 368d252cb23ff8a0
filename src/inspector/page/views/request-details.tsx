import { useEffect, useRef, useState } from 'preact/hooks'
import { plural } from '../../../core/values/describe-value.ts'
import { reasonOf } from '../../../core/values/thrown.ts'
import type { RequestDetails } from '../../api.ts'
import { useInspector } from '../inspector.ts'
import { answeredBy, formatDuration, formatTime, statusKind, statusText, titleOf } from '../logic/format.ts'
import { type Tab, tabs } from '../logic/place.ts'
import { call } from '../logic/server.ts'
import { graphqlErrors, graphqlPayload, parseJson } from '../logic/values.ts'
import { Action, PositionLink, Scenarios, Section, WhoIcon } from '../parts/controls.tsx'
import { Body, Code, Headers, JsonTree, Pairs } from '../parts/values.tsx'
import { Decision } from './decision.tsx'
import { RequestActions } from './request-actions.tsx'

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

/** Loads it again when its summary changes; a text says why it could not be loaded. */
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
      class="tab"
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
    <header class="head stack tight">
      <div class="line">
        <span class="back">
          <Action icon="back" isSmall onClick={() => go({ request: undefined })}>
            Back to the list
          </Action>
        </span>
        <span class={`badge chip mono tone-${statusKind(status)}`}>{statusText(request)}</span>
        <h2>
          {operationName !== undefined && <span>{titleOf(request).title}</span>}
          <span class="mono">
            <span class="muted">{method}</span> {url}
          </span>
        </h2>
      </div>
      <p class="row wide">
        <span class="line">
          <WhoIcon by={request.answeredBy} status={status} />
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
        {client && <span class="muted">client {client}</span>}
        <Scenarios names={scenarios} />
      </p>
      <RequestActions request={request} />
    </header>
  )
}

function RequestTab({ request }: { request: RequestDetails }) {
  const { url, headers, body } = request
  const query = url.includes('?') ? [...new URLSearchParams(url.slice(url.indexOf('?')))] : []
  return (
    <>
      {query.length > 0 && (
        <Section title="Query">
          <Pairs entries={query} />
        </Section>
      )}
      {body && <SentBody body={body} operationName={request.operationName} />}
      <Headers headers={headers} />
      {query.length === 0 && !body && <p class="muted">No query and no body.</p>}
    </>
  )
}

/** The body of a GraphQL request is split, so that the document can be read. */
function SentBody({
  body,
  operationName,
}: Required<Pick<RequestDetails, 'body'>> & { operationName: string | undefined }) {
  const json = body.text !== undefined && !body.isCut ? parseJson(body.text) : undefined
  const payload = json && graphqlPayload(json.value)
  if (!payload) {
    return (
      <Section title="Body">
        <Body body={body} what="the body" />
      </Section>
    )
  }
  const { query, variables, others: all } = payload
  // The header of the details shows it already.
  const others = Object.fromEntries(
    Object.entries(all).filter(([key, value]) => key !== 'operationName' || value !== operationName),
  )
  return (
    <>
      <Section title="Document">
        <Code text={query} what="the document" />
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

function AnswerTab({ request }: { request: RequestDetails }) {
  const { response, answeredBy } = request
  if (!response) {
    const isPassedOn = answeredBy === 'passed-on'
    return (
      <p class="muted">
        {isPassedOn
          ? 'Passed on: the dev server, a proxy or the application answered it, and that answer is not recorded.'
          : 'Not answered yet.'}
      </p>
    )
  }
  const { headers, body, fault } = response
  return (
    <>
      {fault !== undefined && (
        <p class="notice edged tone-failed">
          The fault <code>{fault}</code> broke this answer.
        </p>
      )}
      <GraphqlErrors request={request} />
      <Section title="Body">
        <Body body={body} what="the answer" />
      </Section>
      <Headers headers={headers} />
    </>
  )
}

/** With HTTP 200, nothing else shows that a GraphQL request failed. */
function GraphqlErrors({ request }: { request: RequestDetails }) {
  const { operationType, operationName, response } = request
  const isGraphQL = operationType !== undefined || operationName !== undefined
  const json = isGraphQL && response?.body.text !== undefined ? parseJson(response.body.text) : undefined
  const errors = json ? graphqlErrors(json.value) : []
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
