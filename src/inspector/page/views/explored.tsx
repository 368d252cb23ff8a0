import { useState } from 'preact/hooks'
import type { RequestDetails, SadPath } from '../../api/api.ts'
import { useInspector } from '../inspector.ts'
import { call, changeOverrides } from '../logic/server.ts'
import { Action, PositionLink } from '../parts/controls.tsx'
import { WriteFixture } from './write/fix.tsx'

/** Requests that are looked through. */
const maxLookups = 20

/** A link of a report of `explore`, `?sad-path=ID&page=http://localhost:5173/orders`, which alone changes nothing. */
export function Explored() {
  const { server, say, run } = useInspector()
  const [asked, setAsked] = useState(() => new URLSearchParams(location.search))
  const [kept, setKept] = useState<{ sadPath: SadPath; request: RequestDetails }>()
  const [id, page] = [asked.get('sad-path'), asked.get('page')]
  if (id === null || page === null) return null
  const [, file, line] = /^(.+):(\d+)$/.exec(asked.get('place') ?? '') ?? []

  const open = async () => {
    await changeOverrides((before) => ({ ...before, sadPath: id }))
    // A link may come from anywhere, and `serve` has another port than the page.
    const { protocol, hostname, href, pathname, search, hash } = new URL(page, location.origin)
    const isHere = protocol.startsWith('http') && hostname === location.hostname
    location.assign(isHere ? href : pathname + search + hash)
  }
  const keep = async () => {
    const fits = ({ method, operationName = '' }: { method: string; operationName?: string }) =>
      id.startsWith(`${method} `) && id.includes(operationName)
    for (const { id: number } of server.requests.filter(fits).slice(0, maxLookups)) {
      const { sadPaths } = await call('GET /sad-paths', { query: `request=${number}&limit=1000` })
      const sadPath = sadPaths.find((path) => path.id === id)
      if (sadPath) return setKept({ sadPath, request: await call('GET /requests/{id}', { id: number }) })
    }
    say('No request in the list can go wrong like that. Open the page first.')
  }
  return (
    <section class="explored row" aria-label="From the report of explore">
      <p class="grow">
        <strong>Sad path</strong> {id}
      </p>
      {file !== undefined && <PositionLink position={{ file, line: Number(line) }} />}
      <Action label="Open the page like this" onClick={() => void run(open())} />
      <Action icon="write" label="Keep as a scenario" onClick={() => void run(keep())} />
      <Action label="Close" onClick={() => setAsked(new URLSearchParams())} />
      {kept && <WriteFixture {...kept} onClose={() => setKept(undefined)} />}
    </section>
  )
}
