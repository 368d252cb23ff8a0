import { useState } from 'preact/hooks'
import { plural } from '../../../core/values/describe-value.ts'
import { useInspector } from '../inspector.ts'
import { isMiss } from '../../client/is-miss.ts'
import { toHar } from '../logic/har.ts'
import { call, isBefore } from '../logic/server.ts'
import { Action } from '../parts/controls.tsx'
import { WriteFixtures } from './write/write-fixtures.tsx'

export function ListTools() {
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
        <Action icon="write" isSmall onClick={() => setWriting(true)}>
          {`Write fixtures for ${misses.length} misses`}
        </Action>
      )}
      <Action icon="export" isSmall onClick={() => void run(exportHar())}>
        Export as HAR
      </Action>
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
