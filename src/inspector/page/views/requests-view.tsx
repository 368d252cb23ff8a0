import { plural } from '../../../core/values/describe-value.ts'
import { useInspector } from '../inspector.ts'
import { hasToken, requestKinds, toggleToken } from '../logic/filter.ts'
import { Button, Check, FilterField, IconAction } from '../parts/controls.tsx'
import { Elsewhere } from '../parts/elsewhere.tsx'
import { Splitter } from '../parts/splitter.tsx'
import { RequestDetailsPane } from './request-details.tsx'
import { RequestList } from './request-list.tsx'
import { useState } from 'preact/hooks'
import { isMiss } from '../../client/is-miss.ts'
import { toHar } from '../logic/har.ts'
import { call, isBefore } from '../logic/server.ts'
import { WriteFixtures } from './write/write-fixtures.tsx'

export function RequestsView() {
  const { server, rows, place, go, pause, clear } = useInspector()
  const { requests, held } = server
  const shown = rows.reduce((sum, { count }) => sum + count, 0)
  return (
    <div class={place.request === undefined ? 'split' : 'split has-selection'}>
      <section class="side column" aria-label="All requests">
        <div class="toolbar line">
          <FilterField label="Filter requests" example="checkout -200" />
          <IconAction
            icon={held ? 'resume' : 'pause'}
            label={held ? 'Resume' : 'Pause'}
            aria-pressed={!!held}
            onClick={pause}
          />
          <IconAction
            icon="group"
            label="Group repeated requests"
            aria-pressed={!place.each}
            onClick={() => go({ each: !place.each })}
          />
          <IconAction icon="clear" label="Clear" onClick={clear} />
        </div>
        <Chips />
        <Elsewhere />
        {held && (
          <p class="held tone-bad" role="status">
            {`Paused, ${held.length} new`}
          </p>
        )}
        {shown > 0 ? <RequestList /> : <NoRequests isFiltered={requests.length > 0} />}
        <div class="sum line between note">
          <p>
            {shown === requests.length
              ? plural(requests.length, 'request')
              : `${shown} of ${plural(requests.length, 'request')}`}
          </p>
          <ListTools />
          <Check
            label="Show passed-through requests"
            checked={place.passed}
            onChange={(passed) => go({ passed })}
            title="Pages, scripts, and other requests that no route answers"
          />
        </div>
      </section>
      <Splitter />
      <RequestDetailsPane />
    </div>
  )
}

function Chips() {
  const { server, place, go } = useInspector()
  const { filter } = place
  return (
    <div class="chips line" role="group" aria-label="Show only">
      {Object.entries(requestKinds).map(([kind, { name, fits }]) => {
        const count = server.requests.filter(fits).length
        const isPassed = kind === 'passed'
        return (
          <Button
            key={kind}
            class="chip"
            aria-pressed={hasToken(filter, `is:${kind}`)}
            onClick={() =>
              go({ filter: toggleToken(filter, `is:${kind}`), ...(isPassed && { passed: true }) })
            }
          >
            {name} {count > 0 && <b>{count}</b>}
          </Button>
        )
      })}
    </div>
  )
}

function NoRequests({ isFiltered }: { isFiltered: boolean }) {
  const { routes, base } = useInspector().server
  const example = routes.find(({ method }) => method === 'GET')?.path
  return (
    <div class="empty">
      <p>{isFiltered ? 'No request matches the filter.' : 'No requests yet.'}</p>
      {!isFiltered && (
        <p class="muted">
          Use your app; its requests appear here.
          {example && (
            <>
              {' '}
              Or from a terminal:
              <code>{`curl ${location.origin}${base}${example}`}</code>
            </>
          )}
        </p>
      )}
    </div>
  )
}

function ListTools() {
  const { server, rows, say, run } = useInspector()
  const [isWriting, setWriting] = useState(false)
  const misses = rows.map(({ request }) => request).filter((one) => isMiss(one) && !isBefore(one.id))
  const ids = rows.map(({ request }) => request.id)

  const exportHar = async () => {
    const details = []
    for (const id of ids.toReversed()) {
      const known = server.details.get(id)
      if (known) details.push(known)
      else if (!isBefore(id)) details.push(await call('GET /requests/{id}', { id }).catch(() => undefined))
    }
    const found = details.filter((one) => one !== undefined)
    download('requests.har', toHar(found, location.origin))
    say(`Exported ${plural(found.length, 'request')}`)
  }

  return (
    <span class="line">
      {misses.length > 1 && (
        <IconAction
          icon="write"
          label={`Write fixtures for ${misses.length} misses`}
          onClick={() => setWriting(true)}
        />
      )}
      <IconAction icon="export" label="Export as HAR" onClick={() => void run(exportHar())} />
      {isWriting && <WriteFixtures requests={misses.toReversed()} onClose={() => setWriting(false)} />}
    </span>
  )
}

function download(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
