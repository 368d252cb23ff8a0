import { useState } from 'preact/hooks'
import { reasonOf } from '../../../../core/values/thrown.ts'
import type { RequestSummary } from '../../../api/api.ts'
import { titleOf } from '../../logic/format.ts'
import { call } from '../../logic/server.ts'
import { Button, Dialog, PositionLink } from '../../parts/controls.tsx'

interface Outcome {
  request: RequestSummary
  file?: string
  line?: number
  problem?: string
}

/** One file with a route for each, the oldest first. What a route of before answers already is left out. */
export function WriteFixtures(given: { requests: RequestSummary[]; onClose: () => void }) {
  const { onClose } = given
  const [requests] = useState(given.requests) // a written miss leaves the list of the page
  const [outcomes, setOutcomes] = useState<Outcome[]>([])
  const [isRunning, setRunning] = useState(false)

  async function write(request: RequestSummary, file: string | undefined): Promise<Outcome> {
    const { id } = request
    try {
      const { isMended } = await call('GET /requests/{id}', { id })
      if (isMended) return { request, problem: 'A route answers it already.' }
      const edit = await call('POST /edit', { body: { request: id, ...(file !== undefined && { file }) } })
      const { text, version } = edit
      return { request, ...(await call('PUT /edit', { body: { file: edit.file, text, version } })) }
    } catch (error) {
      return { request, problem: reasonOf(error) }
    }
  }

  async function writeAll(): Promise<void> {
    setRunning(true)
    const done: Outcome[] = []
    for (const request of requests) {
      done.push(await write(request, done.findLast(({ file }) => file)?.file))
      setOutcomes([...done])
    }
  }

  return (
    <Dialog title={`Write fixtures for ${requests.length} misses`} onClose={onClose}>
      <ul class="stack tight">
        {requests.map((request) => {
          const outcome = outcomes.find((one) => one.request === request)
          const { title, detail = '' } = titleOf(request)
          return (
            <li key={request.id} class="row">
              <span class="mono">{`${request.operationType ?? request.method} ${title} ${detail}`}</span>
              {outcome && <PositionLink position={outcome} />}
              <span class="muted">{outcome?.problem}</span>
            </li>
          )
        })}
      </ul>
      <p class="row">
        <Button class="primary" disabled={isRunning} onClick={() => void writeAll()}>
          Write one file
        </Button>
        <span class="muted" role="status">
          {outcomes.length === requests.length
            ? 'Done. Fill in the answers; they are examples.'
            : 'Each gets a route with an example as its answer.'}
        </span>
      </p>
    </Dialog>
  )
}
