import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { createRequestFilter, wordsOf } from './logic/filter.ts'
import { groupRepeats, type RequestRow } from './logic/list.ts'
import type { Place } from './logic/place.ts'
import { call, type ServerState } from './logic/server.ts'

/** The lines of the list: the pinned requests, then what the filter finds. */
export function useRows(
  { requests, pinned }: ServerState,
  { filter, request, each, passed }: Place,
): RequestRow[] {
  const found = useFound(filter, passed, requests[0]?.id ?? 0)
  return useMemo(() => {
    const fits = createRequestFilter(filter, found)
    const isPinned = ({ id }: { id: number }) => pinned.includes(id)
    const listed = requests.filter((one) => !isPinned(one) && (filter === '' || fits(one)))
    return [
      ...requests.filter(isPinned).map((one) => ({ request: one, count: 1 })),
      ...groupRepeats(listed, (id) => each || id === request),
    ]
  }, [requests, pinned, filter, found, each, request])
}

type Found = ReadonlyMap<string, ReadonlySet<number>>
const nothing: Found = new Map()

/** The requests that have a word in their headers or bodies, which only the server has. */
function useFound(filter: string, passed: boolean, newest: number): Found {
  const [found, setFound] = useState(nothing)
  const current = useRef(newest)
  current.current = newest
  const words = wordsOf(filter)
  useEffect(() => {
    setFound(nothing)
    if (words.length === 0) return undefined
    let asked = -1
    const find = async (search: string) => {
      const query = new URLSearchParams({ search, ...(passed && { passed: 'true' }) })
      const { requests } = await call('GET /requests', { query: String(query) })
      return [search, new Set(requests.map(({ id }) => id))] as const
    }
    const ask = () => {
      if (asked === current.current) return
      asked = current.current
      Promise.all(words.map(find)).then(
        (sets) => setFound(new Map(sets)),
        () => {}, // the server is gone: what is in the list is still searched
      )
    }
    const timers = [setTimeout(ask, 200), setInterval(ask, 1000)]
    return () => timers.forEach(clearInterval)
  }, [words.join('\n'), passed])
  return found
}
