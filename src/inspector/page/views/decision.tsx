import { useState } from 'preact/hooks'
import { plural } from '../../../core/values/describe-value.ts'
import type { Candidate, DiagnosticInfo, Explanation, RequestDetails, RouteInfo } from '../../api/api.ts'
import { useInspector } from '../inspector.ts'
import { isMiss } from '../../client/is-miss.ts'
import { isSocket } from '../logic/send.ts'
import { Action, Icon, PositionLink } from '../parts/controls.tsx'
import { Fix } from './write/fix.tsx'

interface DecisionProps {
  explanation: Explanation
  /** Absent for a request that was not sent. */
  request?: RequestDetails
}

export function Decision({ explanation, request }: DecisionProps) {
  const { summary, reason, step, candidates, more, endpoint } = explanation
  return (
    <div class="stack">
      <p class="summary">{summary}</p>
      {step && <p>{`Step ${step.number} of ${step.of} of its sequence.`}</p>}
      {reason && <Reason reason={reason} isSaid={explanation.answeredBy === 'refused'} />}
      {request?.isMended && <Mended request={request} />}
      {candidates.length === 0 && request && isMiss(request) && <Fix request={request} />}
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
            {candidates.map((candidate, index) => (
              <CandidateItem
                key={`${request?.id} ${candidate.id}`}
                candidate={candidate}
                request={request}
                isOpen={index === 0 && explanation.answeredBy === 'nothing' && !request?.isMended}
                failure={candidate.isSelected ? failureOf(reason) : undefined}
              />
            ))}
          </ol>
          {more > 0 && <p class="muted">{`And ${plural(more, 'more route')}, further away.`}</p>}
        </>
      )}
    </div>
  )
}

function Mended({ request }: { request: RequestDetails }) {
  const { sendAgain } = useInspector()
  return (
    <div class="notice row edged tone-good">
      <p class="grow">A route would answer this request now.</p>
      {!isSocket(request) && <Action icon="again" label="Send again" onClick={() => sendAgain(request)} />}
    </div>
  )
}

const failures: Record<string, string> = {
  'rate-limited': 'Limited',
  'fault-sent': 'Broken',
  'fail-sent': 'Failed',
  'page-malformed': 'Refused',
  'page-out-of-range': 'Refused',
}

function failureOf(reason: DiagnosticInfo | undefined): string | undefined {
  return reason && (failures[reason.code] ?? (reason.severity === 'error' ? 'Failed' : undefined))
}

/** @param isSaid whether the message is in the summary already */
function Reason({ reason, isSaid }: { reason: DiagnosticInfo; isSaid: boolean }) {
  const { severity, message, fix, frame, stack } = reason
  return (
    <section
      class={`notice stack tight edged ${severity === 'error' ? 'tone-failed' : 'tone-bad'}`}
      aria-label="Reason"
    >
      {!isSaid && <p>{message}</p>}
      <PositionLink position={reason} />
      {[frame, stack].map(
        (text, index) =>
          text !== undefined && (
            <pre class="box" tabIndex={0} role="region" aria-label={index === 0 ? 'Code' : 'Stack'}>
              {text}
            </pre>
          ),
      )}
      <p>
        <b>Fix:</b> {fix}
      </p>
    </section>
  )
}

interface CandidateProps {
  candidate: Candidate
  request: RequestDetails | undefined
  /** Whether its change is shown at first. */
  isOpen: boolean
  failure: string | undefined
}

function CandidateItem({ candidate, request, isOpen, failure }: CandidateProps) {
  const { server, setScenario } = useInspector()
  const { name, isSelected, isDefault, unmet } = candidate
  const [isFixShown, showFix] = useState(isOpen)
  const isFixable = request && !request.isMended && unmet.length > 0 && unmet[0]!.field !== 'scenario'
  const known = server.routes.find(({ id }) => id === candidate.id)
  const scenario = known?.scenarios.find((one) => !server.scenario.includes(one))
  const isUnmet = unmet.length > 0
  const tone = failure ? 'tone-failed' : isSelected ? 'tone-good' : isUnmet ? 'tone-bad' : ''
  return (
    <li class={`candidate stack tight card edged ${tone}`}>
      <div class="row wide">
        <span class="verdict line note">
          <Icon name={failure ? 'failed' : isSelected ? 'route' : isUnmet ? 'refused' : 'passed-on'} />
          {failure ??
            (isSelected
              ? 'Answered'
              : isUnmet
                ? 'Did not match'
                : isDefault
                  ? 'Default route'
                  : 'Comes later')}
        </span>
        <b>{name}</b>
        <PositionLink position={candidate} />
        <span class="row push">
          {isFixable && (
            <Action
              icon="edit"
              label="Make it match"
              aria-expanded={isFixShown}
              onClick={() => showFix(!isFixShown)}
            />
          )}
          {unmet[0]?.field === 'scenario' && scenario !== undefined && (
            <Action
              icon="switches"
              label={`Switch on ${scenario}`}
              onClick={() => setScenario([...server.scenario, scenario])}
            />
          )}
          {known && <ForceButton route={known} />}
        </span>
      </div>
      {isUnmet && <Conditions unmet={unmet} />}
      {unmet.map(
        ({ field, hint }) =>
          hint !== undefined && (
            <p class="muted" key={field}>
              {hint}
            </p>
          ),
      )}
      {isFixable && isFixShown && <Fix request={request} route={candidate} />}
    </li>
  )
}

function Conditions({ unmet }: Pick<Candidate, 'unmet'>) {
  return (
    <table>
      <thead>
        <tr class="note">
          <th scope="col">Condition</th>
          <th scope="col">Expected</th>
          <th scope="col">Received</th>
        </tr>
      </thead>
      <tbody>
        {unmet.map(({ field, expected, expectedType, received, receivedType }) => (
          <tr key={field}>
            <th scope="row">{field}</th>
            <td>
              <code class="value tone-good">{expected}</code> <span class="note">{expectedType}</span>
            </td>
            <td>
              {received !== undefined && <code class="value tone-failed">{received}</code>}{' '}
              <span class="note">{receivedType}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function ForceButton({ route: { id, method, path } }: { route: RouteInfo }) {
  const { server, forceRoute } = useInspector()
  const endpoint = `${method} ${path}`
  const isForced = server.overrides.routes?.[endpoint] === id
  return (
    <Action
      icon="pin"
      label={isForced ? 'Forced' : 'Force'}
      aria-pressed={isForced}
      onClick={() => forceRoute(endpoint, isForced ? undefined : id)}
      title={`Answer every request to ${endpoint} with this route`}
    />
  )
}
