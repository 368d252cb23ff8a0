import { useState } from 'preact/hooks'
import type { FailNext } from '../../api/api.ts'
import { useInspector } from '../inspector.ts'
import { Button, Section } from './controls.tsx'

const statuses = ['500', '503', '429', '401', '404']

const faults: NonNullable<FailNext['fault']>[] = [
  'reset',
  'empty',
  'truncated',
  'malformed',
  'stalled',
  'silent',
]

export function FailNextForm() {
  const { server, override } = useInspector()
  const [count, setCount] = useState(1)
  const [how, setHow] = useState('500')
  const [endpoint, setEndpoint] = useState('')
  const { failNext } = server.overrides
  const endpoints = [...new Set(server.routes.map(({ method, path }) => `${method} ${path}`))]
  const start = () => override({ failNext: { count, ...failure(how), ...(endpoint && { endpoint }) } })
  return (
    <Section title="Fail the next requests" id="fail-next">
      <div class="fields">
        <label class="field">
          Count
          <input
            type="number"
            min={1}
            max={1000}
            value={count}
            onInput={(event) => setCount(Math.max(1, Math.trunc(event.currentTarget.valueAsNumber) || 1))}
          />
        </label>
        <label class="field">
          With
          <select value={how} onChange={(event) => setHow(event.currentTarget.value)}>
            <optgroup label="A status">
              {statuses.map((status) => (
                <option key={status}>{status}</option>
              ))}
            </optgroup>
            <optgroup label="A fault">
              {faults.map((fault) => (
                <option key={fault}>{fault}</option>
              ))}
            </optgroup>
          </select>
        </label>
      </div>
      <label class="field">
        For
        <select value={endpoint} onChange={(event) => setEndpoint(event.currentTarget.value)}>
          <option value="">every endpoint</option>
          {endpoints.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <p class="row">
        <Button onClick={start}>Fail</Button>
        {failNext && failNext.count > 0 && (
          <Button onClick={() => override({ failNext: undefined })}>{`Stop (${failNext.count} left)`}</Button>
        )}
      </p>
    </Section>
  )
}

function failure(how: string): Pick<FailNext, 'status' | 'fault'> {
  const fault = faults.find((name) => name === how)
  return fault ? { fault } : { status: Number(how) }
}
