import { useInspector } from '../inspector-context.ts'
import { count } from '../logic/format.ts'
import { forceRoute } from '../logic/switched.ts'
import { Action, PositionLink } from './buttons.tsx'
import { FailNextForm } from './fail-next.tsx'
import { Recording } from './recording.tsx'

const delays = [0, 300, 1000, 3000, 10_000]

/** Scenarios and overrides. */
export function Switches() {
  const { go } = useInspector()
  return (
    <aside class="switches" aria-label="Switches">
      <header class="line">
        <h2>Switches</h2>
        <Action icon="close" isSmall onClick={() => go({ switches: false })}>
          Close
        </Action>
      </header>
      <Scenarios />
      <Network />
      <FailNextForm />
      <ForcedRoutes />
      <Recording />
    </aside>
  )
}

function Scenarios() {
  const { server, setScenario } = useInspector()
  const { scenario, known } = server
  const toggle = (name: string, isOn: boolean) =>
    setScenario(isOn ? [...scenario, name] : scenario.filter((other) => other !== name))
  return (
    <section aria-labelledby="scenarios">
      <h3 id="scenarios">Scenarios</h3>
      {known.length === 0 && (
        <p class="muted">
          No route has one. Write <code>scenario: payment-down</code> on a route, and switch it on here.
        </p>
      )}
      {known.map(({ name, routes }) => (
        <div class="scenario card" key={name}>
          <label class="check line">
            <input
              type="checkbox"
              checked={scenario.includes(name)}
              onChange={(event) => toggle(name, event.currentTarget.checked)}
            />
            <span>{name}</span>
          </label>
          <details>
            <summary class="note">{count(routes.length, 'route')}</summary>
            <ul>
              {routes.map((id) => (
                <ScenarioRoute key={id} id={id} />
              ))}
            </ul>
          </details>
        </div>
      ))}
    </section>
  )
}

function ScenarioRoute({ id }: { id: string }) {
  const { routes } = useInspector().server
  const route = routes.find((other) => other.id === id)
  return (
    <li>
      <code>{id.replace(/ #\d+$/, '')}</code> {route?.name} {route && <PositionLink position={route} />}
    </li>
  )
}

function Network() {
  const { server, setOverrides } = useInspector()
  const { overrides } = server
  const { delay: delayed = 0, ...withoutDelay } = overrides
  // Delays of single endpoints can only be set with the API. The bar shows them.
  const delay = typeof delayed === 'number' ? delayed : 0
  const { offline = false, ...online } = overrides
  const choices = delays.includes(delay) ? delays : [...delays, delay].sort((a, b) => a - b)
  return (
    <section aria-labelledby="network">
      <h3 id="network">Network</h3>
      <label class="check line">
        <input
          type="checkbox"
          checked={offline}
          onChange={(event) =>
            setOverrides(event.currentTarget.checked ? { ...online, offline: true } : online)
          }
        />
        <span>Offline</span>
      </label>
      <label class="field">
        Slower by
        <select
          value={String(delay)}
          onChange={(event) => {
            const chosen = Number(event.currentTarget.value)
            setOverrides(chosen > 0 ? { ...withoutDelay, delay: chosen } : withoutDelay)
          }}
        >
          {choices.map((choice) => (
            <option key={choice} value={String(choice)}>
              {choice === 0 ? 'nothing' : choice < 1000 ? `${choice} ms` : `${choice / 1000} s`}
            </option>
          ))}
        </select>
      </label>
    </section>
  )
}

function ForcedRoutes() {
  const { server, setOverrides } = useInspector()
  const { overrides, routes } = server
  const forced = Object.entries(overrides.routes ?? {})
  return (
    <section aria-labelledby="forced">
      <h3 id="forced">Forced routes</h3>
      {forced.length === 0 && (
        <p class="muted">Force one in the decision of a request, or in the list of routes.</p>
      )}
      {forced.map(([endpoint, id]) => (
        <p class="forced" key={endpoint}>
          <code>{endpoint}</code>
          <span>{routes.find((route) => route.id === id)?.name ?? id}</span>
          <button type="button" onClick={() => setOverrides(forceRoute(overrides, endpoint, undefined))}>
            Release
          </button>
        </p>
      ))}
    </section>
  )
}
