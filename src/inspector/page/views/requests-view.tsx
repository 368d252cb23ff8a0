import { useMemo } from 'preact/hooks'
import { useInspector } from '../inspector-context.ts'
import { createFilter, requestText } from '../logic/filter.ts'
import { count } from '../logic/format.ts'
import { Action } from '../parts/buttons.tsx'
import { FilterField } from '../parts/filter-field.tsx'
import { RequestDetailsPane } from './request-details.tsx'
import { RequestList } from './request-list.tsx'

/** The list of requests, and the selected one beside it. */
export function RequestsView() {
  const { server, place, go, pause, clear } = useInspector()
  const { requests, held } = server
  const shown = useShownRequests()
  return (
    <div class={place.request === undefined ? 'split' : 'split has-selection'}>
      <section class="side" aria-label="All requests">
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
        <div class="sum line note">
          <p>
            {shown.length === requests.length
              ? count(requests.length, 'request')
              : `${shown.length} of ${count(requests.length, 'request')}`}
          </p>
          <label class="check line" title="Those that no route answers: pages, scripts, requests for a proxy">
            <input
              type="checkbox"
              checked={place.passed}
              onChange={(event) => go({ passed: event.currentTarget.checked })}
            />
            <span>Passed on too</span>
          </label>
        </div>
      </section>
      <RequestDetailsPane />
    </div>
  )
}

/** The requests that the filter leaves. */
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
