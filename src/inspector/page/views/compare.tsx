import { plural } from '../../../core/values/describe-value.ts'
import type { RequestDetails } from '../../api.ts'
import { compareRequests } from '../logic/compare.ts'
import { formatTime } from '../logic/format.ts'
import { Dialog } from '../parts/controls.tsx'

const most = 200

interface CompareProps {
  pinned: RequestDetails
  request: RequestDetails
  onClose: () => void
}

export function Compare({ pinned, request, onClose }: CompareProps) {
  const all = compareRequests(pinned, request)
  const value = (text: string | undefined, tone: string) =>
    text === undefined ? (
      <span class="muted">nothing</span>
    ) : (
      <code class={`value ${tone}`}>{text.slice(0, 500)}</code>
    )
  return (
    <Dialog title="Compare with the pinned request" onClose={onClose}>
      {all.length === 0 ? (
        <p>Both requests and their answers are equal.</p>
      ) : (
        <table class="compared">
          <thead>
            <tr class="note">
              <th scope="col">{plural(all.length, 'difference')}</th>
              <th scope="col">{`Pinned, ${formatTime(pinned.time)}`}</th>
              <th scope="col">{`This one, ${formatTime(request.time)}`}</th>
            </tr>
          </thead>
          <tbody>
            {all.slice(0, most).map(({ path, before, after }) => (
              <tr key={path}>
                <th scope="row">{path}</th>
                <td>{value(before, 'tone-failed')}</td>
                <td>{value(after, 'tone-good')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  )
}
