import { useEffect, useMemo, useRef } from 'preact/hooks'
import { plural } from '../../../core/values/describe-value.ts'
import type { RequestSummary } from '../../api.ts'
import { useInspector } from '../inspector.ts'
import { createFilter, requestText } from '../logic/filter.ts'
import { formatDuration, formatTime, statusKind, statusText, titleOf } from '../logic/format.ts'
import { Action, Check, Failure, FilterField, WhoIcon } from '../parts/controls.tsx'
import { RequestDetailsPane } from './request-details.tsx'

export function RequestsView() {
  const { server, place, go, pause, clear } = useInspector()
  const { requests, held } = server
  const shown = useShownRequests()
  return (
    <div class={place.request === undefined ? 'split' : 'split has-selection'}>
      <section class="side column" aria-label="All requests">
        <div class="toolbar line">
          <FilterField label="Filter requests" />
          <Action icon={held ? 'resume' : 'pause'} isSmall pressed={!!held} onClick={pause}>
            {held ? 'Go on' : 'Pause'}
          </Action>
          <Action icon="clear" isSmall onClick={clear}>
            Clear
          </Action>
        </div>
        {held && (
          <p class="held tone-bad" role="status">
            {`Paused, ${held.length} new`}
          </p>
        )}
        {shown.length > 0 ? (
          <RequestList requests={shown} />
        ) : (
          <NoRequests isFiltered={requests.length > 0} />
        )}
        <div class="sum line between note">
          <p>
            {shown.length === requests.length
              ? plural(requests.length, 'request')
              : `${shown.length} of ${plural(requests.length, 'request')}`}
          </p>
          <Check
            checked={place.passed}
            onChange={(passed) => go({ passed })}
            title="Those that no route answers: pages, scripts, requests for a proxy"
          >
            Passed on too
          </Check>
        </div>
      </section>
      <RequestDetailsPane />
    </div>
  )
}

export function useShownRequests() {
  const { server, place } = useInspector()
  const { requests } = server
  const { filter } = place
  return useMemo(() => {
    const fits = createFilter(filter)
    return filter ? requests.filter((request) => fits(requestText(request))) : requests
  }, [requests, filter])
}

function NoRequests({ isFiltered }: { isFiltered: boolean }) {
  const { routes } = useInspector().server
  const example = routes.find(({ method }) => method === 'GET')?.path
  return (
    <div class="empty">
      <p>{isFiltered ? 'No request has these words.' : 'No requests yet.'}</p>
      {!isFiltered && (
        <p class="muted">
          Use the application: what it asks shows up here.
          {example && (
            <>
              {' '}
              Or from a terminal:
              <code>{`curl ${location.origin}${example}`}</code>
            </>
          )}
        </p>
      )}
    </div>
  )
}

/** A list box: one row is focusable, and the arrow keys move the focus. */
function RequestList({ requests }: { requests: readonly RequestSummary[] }) {
  const { place, go } = useInspector()
  const list = useRef<HTMLDivElement>(null)
  const { request: selected } = place
  const focusable = requests.some(({ id }) => id === selected) ? selected : requests[0]?.id

  useEffect(() => {
    const row = selected !== undefined && document.getElementById(rowId(selected))
    if (!row) return
    row.scrollIntoView({ block: 'nearest' })
    if (list.current?.contains(document.activeElement)) row.focus({ preventScroll: true })
  }, [selected])

  return (
    <div
      class="request-list column"
      role="listbox"
      aria-label="Requests"
      ref={list}
      onClick={(event) => {
        const id = (event.target as Element).closest('[role=option]')?.id
        if (id) go({ request: Number(id.slice(rowId('').length)) })
      }}
    >
      {requests.map((request) => (
        <Row
          key={request.id}
          request={request}
          isSelected={request.id === selected}
          isFocusable={request.id === focusable}
        />
      ))}
    </div>
  )
}

export function rowId(id: number | string): string {
  return `request-${id}`
}

interface RowProps {
  request: RequestSummary
  isSelected: boolean
  isFocusable: boolean
}

function Row({ request, isSelected, isFocusable }: RowProps) {
  const { id, method, operationType, status, duration, answeredBy, time, route, errors } = request
  const { title, detail } = titleOf(request)
  return (
    <div
      class="request"
      role="option"
      id={rowId(id)}
      aria-selected={isSelected}
      tabIndex={isFocusable ? 0 : -1}
      title={`${method} ${request.url}`}
    >
      <WhoIcon by={answeredBy} status={errors ? 500 : status} />
      <span class="method muted mono">{operationType ?? method}</span>
      <span class="target cut">
        <span class="mono">{title}</span>
        {detail && <span class="muted mono">{` ${detail}`}</span>}
        {errors && <Failure errors={errors} />}
      </span>
      <span class="by cut muted">{route?.name}</span>
      <time class="clock cut muted mono">{formatTime(time)}</time>
      <span class={`status mono tone-${errors ? 'failed' : statusKind(status)}`}>{statusText(request)}</span>
      <span class="duration muted mono">{duration !== undefined && formatDuration(duration)}</span>
    </div>
  )
}
