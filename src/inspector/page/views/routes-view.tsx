import { useEffect, useState } from 'preact/hooks'
import { plural } from '../../../core/values/describe-value.ts'
import type { RouteInfo } from '../../api/api.ts'
import { useInspector } from '../inspector.ts'
import { createFilter, routeText } from '../logic/filter.ts'
import { countRoutes, flowYaml, formatDuration, ownName, statusKind } from '../logic/format.ts'
import { call } from '../logic/server.ts'
import { FilterField, Page, PositionLink, Scenarios } from '../parts/controls.tsx'
import { ForceButton } from './decision.tsx'
import { groupBy } from '../../../core/values/collections.ts'

export function RoutesView() {
  const { server, place } = useInspector()
  const fits = createFilter(place.filter)
  const [differs, setDiffers] = useState<ReadonlySet<string>>(new Set())
  const { target } = server.record
  useEffect(() => {
    if (target === undefined) return
    void call('GET /reality').then(
      ({ differences }) => setDiffers(new Set(differences.map(({ route }) => route))),
      () => {},
    )
  }, [server.diagnostics, target])
  const routes = server.routes.filter((route) => fits(routeText(route)))
  const files = groupBy(routes, ({ isTemplate, file = 'Without a file' }) =>
    isTemplate ? 'Starter templates' : file,
  )
  return (
    <Page title="Routes" tools={<FilterField label="Filter routes" example="orders POST" />}>
      {routes.length === 0 && (
        <p class="empty">{server.routes.length > 0 ? 'No route matches the filter.' : 'No routes.'}</p>
      )}
      {[...files].map(([file, listed]) => (
        <section class="file" key={file} aria-label={file}>
          <h3 class="mono">
            {file} <span class="muted">{plural(countRoutes(listed), 'route')}</span>
          </h3>
          <ul class="card">
            {listed.map((route) => (
              <RouteItem key={route.id} route={route} differs={differs.has(route.id)} />
            ))}
          </ul>
        </section>
      ))}
    </Page>
  )
}

function RouteItem({ route, differs }: { route: RouteInfo; differs: boolean }) {
  const { method, path, name, when, scenarios, pages, hits, isTemplate, delay, fault } = route
  const { status, answers } = route
  const own = ownName(name)
  return (
    <li class="route">
      <span class={hits > 0 ? 'hits' : 'hits muted'} title={`Has answered ${plural(hits, 'request')}`}>
        {hits}
        <span class="visually-hidden"> hits</span>
      </span>
      <span class="muted mono">{method}</span>
      <span class="row wide">
        <span class="mono">{path}</span> {own !== undefined && <span>{own}</span>}
        {when !== undefined ? (
          <code class="muted">{flowYaml(when)}</code>
        ) : (
          <span class="muted">default</span>
        )}
        {answers === 'error' ? (
          <a class="chip tone-failed" href="#/problems">
            error in the file
          </a>
        ) : (
          status === undefined && <span class="muted">{`${answers}: the status varies`}</span>
        )}
        {pages !== undefined && <span class="muted">{plural(pages, 'page')}</span>}
        {delay !== undefined && (
          <span class="muted">{`delay ${typeof delay === 'number' ? formatDuration(delay) : flowYaml(delay)}`}</span>
        )}
        {fault !== undefined && <span class="chip tone-failed">{`fault ${flowYaml(fault)}`}</span>}
        <Scenarios names={scenarios} />
        {differs && (
          <a class="chip tone-failed" href="#/reality">
            differs from the backend
          </a>
        )}
      </span>
      <span class={`status mono tone-${statusKind(status)}`}>{status ?? '–'}</span>
      {isTemplate ? <span /> : <PositionLink position={route} text={`line ${route.line}`} />}
      <ForceButton route={route} />
    </li>
  )
}

export function ProblemsView() {
  const { diagnostics } = useInspector().server
  return (
    <Page title="Problems">
      {diagnostics.length === 0 && <p class="empty">The fixture files have no errors and no warnings.</p>}
      <ul class="stack">
        {diagnostics.map((diagnostic, index) => {
          const { severity, message, fix, frame, code } = diagnostic
          return (
            <li
              key={index}
              class={`problem stack tight card edged tone-${severity === 'error' ? 'failed' : 'bad'}`}
            >
              <p class="row wide">
                <strong>{severity === 'error' ? 'Error' : 'Warning'}</strong>
                <PositionLink position={diagnostic} />
                <code class="muted">{code}</code>
              </p>
              <p>{message}</p>
              {frame && (
                <pre class="box" tabIndex={0} role="region" aria-label="Code">
                  {frame}
                </pre>
              )}
              <p class="muted">{fix}</p>
            </li>
          )
        })}
      </ul>
    </Page>
  )
}
