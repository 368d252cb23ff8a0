import { useEffect, useRef, useState } from 'preact/hooks'
import { plural } from '../../../core/values/describe-value.ts'
import { channelName, type AskedElsewhere, type ToPages } from '../../asked-elsewhere.ts'
import { useInspector } from '../inspector.ts'
import { Button } from './controls.tsx'

/** Other origins that open pages ask, and that no route has. */
export function Elsewhere() {
  const { server, setRecord } = useInspector()
  const [pages, setPages] = useState<ReadonlyMap<number, AskedElsewhere['asked']>>(new Map())
  const channel = useRef<BroadcastChannel>(undefined)
  const send = (message: ToPages) => channel.current?.postMessage(message)
  useEffect(() => {
    const opened = (channel.current = new BroadcastChannel(channelName))
    opened.onmessage = ({ data }: MessageEvent<Partial<AskedElsewhere>>) => {
      const { page, asked } = data
      if (page !== undefined && asked) setPages((before) => new Map(before).set(page, asked))
    }
    send({ tell: true })
    return () => opened.close()
  }, [])
  const counts = new Map<string, number>()
  for (const asked of pages.values())
    for (const [origin, count] of asked) counts.set(origin, (counts.get(origin) ?? 0) + count)
  counts.delete(server.record.origin ?? '')
  if (counts.size === 0) return null
  return (
    <ul class="elsewhere note" aria-label="Other origins">
      {[...counts].map(([origin, count]) => (
        <li class="line between" key={origin}>
          <span class="cut">
            This page also asks <code>{origin.replace(/^https:\/\//, '')}</code>: {plural(count, 'request')}
          </span>
          <Button
            title={`Reloads the page, and writes the answers from ${origin} to ${server.record.folder}`}
            onClick={() =>
              void setRecord({ recording: true, origin }).then((isOn) => isOn && send({ reload: origin }))
            }
          >
            Record
          </Button>
        </li>
      ))}
    </ul>
  )
}
