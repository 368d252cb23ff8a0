import type { RouteInfo } from '../../api.ts'
import { useInspector } from '../inspector.ts'
import { createFilter, routeText } from '../logic/filter.ts'
import { count, countRoutes, flowYaml } from '../logic/format.ts'
import { FilterField, PositionLink } from '../parts/controls.tsx'
import { ForceButton } from './decision.tsx'

/** All routes, by file, with how often each has answered. */
export function RoutesView() {
  const { server, place } = useInspector()
  const fits = createFilter(place.filter)
  const routes = server.routes.filter((route) => fits(routeText(route)))
  const files = byFile(routes)
  return (
    <div class="page stack">
      <div class="toolbar line">
        <h2>Routes</h2>
        <FilterField label="Filter routes" />
      </div>
      {routes.length === 0 && (
        <p class="empty">{server.routes.length > 0 ? 'No route has these words.' : 'No routes.'}</p>
      )}
      {[...files].map(([file, listed]) => (
        <section class="file" key={file} aria-label={file}>
          <h3>
            {file} <span class="muted">{count(countRoutes(listed), 'route')}</span>
          </h3>
          <ul class="routes stack card">
            {listed.map((route) => (
              <RouteItem key={route.id} route={route} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function byFile(routes: readonly RouteInfo[]): Map<string, RouteInfo[]> {
  const files = new Map<string, RouteInfo[]>()
  for (const route of routes) {
    const name = route.isTemplate ? 'Starter templates' : (route.file ?? 'Without a file')
    files.set(name, [...(files.get(name) ?? []), route])
  }
  return files
}

function RouteItem({ route }: { route: RouteInfo }) {
  const { method, path, name, when, scenarios, pages, hits, isTemplate } = route
  return (
    <li>
      <span class={hits > 0 ? 'hits some' : 'hits muted'} title={`Has answered ${count(hits, 'request')}`}>
        {hits}
        <span class="visually-hidden"> hits</span>
      </span>
      <span class="method">{method}</span>
      <span class="target">
        <span class="title">{path}</span> <span class="route-name">{name}</span>
        {when !== undefined ? (
          <code class="muted">{flowYaml(when)}</code>
        ) : (
          <span class="muted">default</span>
        )}
        {pages !== undefined && <span class="muted">{count(pages, 'page')}</span>}
        {scenarios.map((scenario) => (
          <span class="chip tone-bad" key={scenario}>
            {scenario}
          </span>
        ))}
      </span>
      {!isTemplate && <PositionLink position={route} text={`line ${route.line}`} />}
      <ForceButton id={route.id} />
    </li>
  )
}

/** The errors and warnings of the fixture files. */
export function ProblemsView() {
  const { diagnostics } = useInspector().server
  return (
    <div class="page stack">
      <div class="toolbar line">
        <h2>Problems</h2>
      </div>
      {diagnostics.length === 0 && <p class="empty">The fixture files have no errors and no warnings.</p>}
      <ul class="stack">
        {diagnostics.map((diagnostic, index) => {
          const { severity, message, fix, frame, code } = diagnostic
          return (
            <li
              key={index}
              class={`problem stack card edged tone-${severity === 'error' ? 'failed' : 'bad'}`}
            >
              <p class="problem-head row">
                <strong>{severity === 'error' ? 'Error' : 'Warning'}</strong>
                <PositionLink position={diagnostic} />
                <code class="muted">{code}</code>
              </p>
              <p>{message}</p>
              {frame && (
                <pre class="frame" tabIndex={0} role="region" aria-label="Code">
                  {frame}
                </pre>
              )}
              <p class="muted">{fix}</p>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
