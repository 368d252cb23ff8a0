import { useState } from 'preact/hooks'
import { describeChaos, plural } from '../../../core/values/describe-value.ts'
import { useInspector } from '../inspector.ts'
import { formatDuration } from '../logic/format.ts'
import { switchedTexts } from '../logic/switched.ts'
import { FailNextForm } from './fail-next.tsx'
import { SavedSets } from './saved-sets.tsx'
import { Button, Check, IconAction, Omitted, PositionLink, Section } from './controls.tsx'

/** On every view: while something is switched, answers differ from the fixture files. */
export function SwitchedBar() {
  const { server, reset, override, setRecord, ownScenarios } = useInspector()
  const texts = switchedTexts(server.scenario, server.overrides)
  const { recording, origin, target: backend } = server.record
  const target = origin ?? backend
  return (
    <div class="switched row" role="status">
      {recording && (
        <>
          <strong>Recording{target !== undefined && ` ${target}`}</strong>
          <Button onClick={() => void setRecord({ recording: false })}>End the recording</Button>
        </>
      )}
      {(texts.length > 0 || ownScenarios !== undefined) && (
        <>
          <strong>Switched</strong>
          <ul class="row grow">
            {texts.map((text) => (
              <li key={text}>{text}</li>
            ))}
            {ownScenarios !== undefined && (
              <li class="line">
                <OwnScenarios />
              </li>
            )}
          </ul>
          {server.overrides.sadPath !== undefined && (
            <Button onClick={() => override({ sadPath: undefined })}>End the sad path</Button>
          )}
          <Button onClick={reset}>Reset all</Button>
        </>
      )}
    </div>
  )
}

function OwnScenarios() {
  const { ownScenarios, leaveOwnScenarios } = useInspector()
  return (
    <>
      This browser: {ownScenarios === '' ? 'no scenario' : ownScenarios}
      <IconAction icon="close" label="Turn off for this browser" onClick={leaveOwnScenarios} />
    </>
  )
}

const delays = [0, 300, 1000, 3000, 10_000]

export function Switches() {
  const { go } = useInspector()
  return (
    <aside class="switches column" aria-label="Switches">
      <header class="toolbar line between sticky">
        <h2>Switches</h2>
        <IconAction icon="close" label="Close" onClick={() => go({ switches: false })} />
      </header>
      <Scenarios />
      <Network />
      <FailNextForm />
      <ForcedRoutes />
      <Recording />
      <SavedSets />
    </aside>
  )
}

function Scenarios() {
  const { server, setScenario, ownScenarios, copy } = useInspector()
  const { scenario, known } = server
  const toggle = (name: string, isOn: boolean) =>
    setScenario(isOn ? [...scenario, name] : scenario.filter((other) => other !== name))
  return (
    <Section title="Scenarios" id="scenarios">
      {known.length === 0 && (
        <p class="muted">
          No route has a scenario. Write <code>scenario: payment-down</code> in a route, and switch it on
          here.
        </p>
      )}
      {ownScenarios !== undefined && (
        <p class="note line">
          <OwnScenarios /> The switches below apply to everyone else.
        </p>
      )}
      {known.map(({ name, routes }) => (
        <div class="scenario card" key={name}>
          <div class="line between">
            <Check label={name} checked={scenario.includes(name)} onChange={(isOn) => toggle(name, isOn)} />
            <IconAction
              icon="copy"
              label={`Copy the link to ${name}`}
              onClick={() => copy(linkTo(name), 'the link')}
              title={`Copy the link that opens the app in this scenario: ${linkTo(name)}`}
            />
          </div>
          <ChangedBy name={name} />
          <code class="note cut">{`?mock-scenario=${encodeURIComponent(name)}`}</code>
          <details>
            <summary class="note">{plural(routes.length, 'route')}</summary>
            <ul>
              {server.routes
                .filter(({ id }) => routes.includes(id))
                .map((route) => (
                  <li key={route.id}>
                    <code>{`${route.method} ${route.path}`}</code> {route.name}{' '}
                    <PositionLink position={route} />
                  </li>
                ))}
            </ul>
          </details>
        </div>
      ))}
    </Section>
  )
}

/** Says which answer has changed the scenario. */
function ChangedBy({ name }: { name: string }) {
  const { changed, routes } = useInspector().server
  const change = changed.find((one) => one.name === name)
  const route = routes.find(({ id }) => id === change?.by)
  return (
    change && (
      <p class="note">
        {`${change.isActive ? 'On' : 'Off'} since an answer of ${route?.name ?? change.by} `}
        {route && <PositionLink position={route} />}
      </p>
    )
  )
}

/** The page of the app is the one below which the inspector is. */
function linkTo(scenario: string): string {
  return String(new URL(`../?mock-scenario=${encodeURIComponent(scenario)}`, location.href.split('#', 1)[0]))
}

function Network() {
  const { server, override } = useInspector()
  const { delay: delayed = 0, offline = false, chaos = 0 } = server.overrides
  // Delays of single endpoints can only be set with the API. The bar shows them.
  const delay = typeof delayed === 'number' ? delayed : 0
  const shares = [...new Set([0, 0.05, 0.1, 0.25, 0.5, chaos])].sort((a, b) => a - b)
  const choices = delays.includes(delay) ? delays : [...delays, delay].sort((a, b) => a - b)
  return (
    <Section title="Network" id="network">
      <Check
        label="Offline"
        checked={offline}
        onChange={(isOn) => override({ offline: isOn || undefined })}
      />
      <label class="field">
        Extra delay
        <select
          value={String(delay)}
          onChange={(event) => override({ delay: Number(event.currentTarget.value) || undefined })}
        >
          {choices.map((choice) => (
            <option key={choice} value={String(choice)}>
              {choice === 0 ? 'none' : formatDuration(choice)}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        Chaos
        <select
          value={String(chaos)}
          onChange={(event) => override({ chaos: Number(event.currentTarget.value) || undefined })}
        >
          {shares.map((share) => (
            <option key={share} value={String(share)}>
              {share === 0 ? 'none' : describeChaos(share)}
            </option>
          ))}
        </select>
      </label>
    </Section>
  )
}

function ForcedRoutes() {
  const { server, forceRoute } = useInspector()
  const { overrides, routes } = server
  const forced = Object.entries(overrides.routes ?? {})
  return (
    <Section title="Forced routes" id="forced">
      {forced.length === 0 && (
        <p class="muted">Force a route in the decision of a request, or in the list of routes.</p>
      )}
      {forced.map(([endpoint, id]) => (
        <p class="row" key={endpoint}>
          <code>{endpoint}</code>
          <span class="grow">{routes.find((route) => route.id === id)?.name ?? id}</span>
          <Button onClick={() => forceRoute(endpoint, undefined)}>Release</Button>
        </p>
      ))}
    </Section>
  )
}

function Recording() {
  const { server, setRecord } = useInspector()
  const { recording, target = '', folder, answers, files, omitted } = server.record
  const [typed, setTyped] = useState<string>()
  const shown = typed ?? target
  return (
    <Section title="Recording" id="recording">
      <Check
        label="Record the backend"
        checked={recording}
        onChange={(isOn) =>
          void setRecord({ recording: isOn, ...(isOn && shown !== '' && { target: shown }) })
        }
      />
      <label class="field">
        Backend
        <input
          type="url"
          placeholder="the proxy of the dev server"
          value={shown}
          disabled={recording}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
      <p class="muted">
        {recording
          ? `Requests that none of your routes answers go to the backend. Its answers are written to ${folder}, and used when the recording ends.`
          : answers === 0
            ? `Sends requests that no route answers to the backend, and writes its answers to ${folder}.`
            : `${plural(answers, 'answer')} in ${plural(files.length, 'file')}.`}
      </p>
      <Omitted omitted={omitted} />
    </Section>
  )
}
