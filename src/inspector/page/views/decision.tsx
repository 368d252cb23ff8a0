import { useState } from 'preact/hooks'
import { plural } from '../../../core/values/describe-value.ts'
import type { Candidate, Explanation, RouteInfo } from '../../api.ts'
import { useInspector } from '../inspector.ts'
import { forceRoute } from '../logic/switched.ts'
import { Action, Icon, PositionLink } from '../parts/controls.tsx'
import { Code } from '../parts/values.tsx'

export function Decision({ explanation }: { explanation: Explanation }) {
  const { summary, candidates, more, endpoint } = explanation
  return (
    <div class="stack">
      <p class="summary">{summary}</p>
      {candidates.length > 0 && (
        <>
          <h3>
            {plural(candidates.length + more, 'route')}
            {endpoint && (
              <>
                {' of '}
                <code>{endpoint}</code>
              </>
            )}
            {candidates.length > 1 && <span class="muted">, the nearest first</span>}
          </h3>
          <ol class="stack tight">
            {candidates.map((candidate) => (
              <CandidateItem key={candidate.id} candidate={candidate} />
            ))}
          </ol>
          {more > 0 && <p class="muted">{`And ${plural(more, 'more route')}, further away.`}</p>}
        </>
      )}
    </div>
  )
}

function CandidateItem({ candidate }: { candidate: Candidate }) {
  const { server, setScenario } = useInspector()
  const { name, isSelected, isDefault, failed, fix } = candidate
  const [isFixShown, showFix] = useState(false)
  const known = server.routes.find(({ id }) => id === candidate.id)
  const scenario = known?.scenarios.find((one) => !server.scenario.includes(one))
  const tone = isSelected ? 'tone-good' : failed ? 'tone-bad' : ''
  return (
    <li class={`candidate stack tight card edged ${tone}`}>
      <div class="row wide">
        <span class="verdict line note">
          <Icon name={isSelected ? 'route' : failed ? 'refused' : 'passed-on'} />
          {isSelected ? 'Answered' : failed ? 'Did not match' : isDefault ? 'Default route' : 'Comes later'}
        </span>
        <b>{name}</b>
        <PositionLink position={candidate} />
        <span class="row push">
          {fix !== undefined && (
            <Action icon="edit" expanded={isFixShown} onClick={() => showFix(!isFixShown)}>
              Make it match
            </Action>
          )}
          {failed?.field === 'scenario' && scenario !== undefined && (
            <Action icon="switches" onClick={() => setScenario([...server.scenario, scenario])}>
              {`Switch on ${scenario}`}
            </Action>
          )}
          {known && <ForceButton route={known} />}
        </span>
      </div>
      {failed && (
        <table>
          <thead>
            <tr class="note">
              <th scope="col">Condition</th>
              <th scope="col">Expected</th>
              <th scope="col">Received</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">{failed.field}</th>
              <td>
                <code class="value tone-good">{failed.expected}</code>{' '}
                <span class="note">{failed.expectedType}</span>
              </td>
              <td>
                {failed.received !== undefined && <code class="value tone-failed">{failed.received}</code>}{' '}
                <span class="note">{failed.receivedType}</span>
              </td>
            </tr>
          </tbody>
        </table>
      )}
      {failed?.hint !== undefined && <p class="muted">{failed.hint}</p>}
      {fix !== undefined && isFixShown && (
        <div class="stack tight">
          <p class="muted">With this selector, the route matches the request. Keep its response:</p>
          <Code text={fix} what="the YAML" isYaml />
        </div>
      )}
    </li>
  )
}

export function ForceButton({ route: { id, method, path } }: { route: RouteInfo }) {
  const { server, setOverrides } = useInspector()
  const { overrides } = server
  const endpoint = `${method} ${path}`
  const isForced = overrides.routes?.[endpoint] === id
  return (
    <Action
      icon="pin"
      pressed={isForced}
      onClick={() => setOverrides(forceRoute(overrides, endpoint, isForced ? undefined : id))}
      title={`Answer every request to ${endpoint} with this route`}
    >
      {isForced ? 'Forced' : 'Force'}
    </Action>
  )
}
