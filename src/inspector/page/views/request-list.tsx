import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useInspector } from '../inspector.ts'
import {
  formatDuration,
  formatSize,
  formatTime,
  ownName,
  toneOf,
  statusText,
  streamText,
  titleOf,
} from '../logic/format.ts'
import { type Bar, type RequestRow, waterfall } from '../logic/list.ts'
import { Failure, Icon, WhoIcon } from '../parts/controls.tsx'

/** Lines above and below the visible ones. */
const spare = 8

/** A list box that has only its visible lines: one is focusable, and the arrow keys move the focus. */
export function RequestList() {
  const { rows, place, go, server } = useInspector()
  const list = useRef<HTMLDivElement>(null)
  const { request: selected } = place
  const { height, first, last } = useWindow(list, rows)
  const at = rows.findIndex(({ request }) => request.id === selected)
  const bars = useMemo(() => waterfall(rows, Date.now()), [rows])

  useEffect(() => {
    const row = selected === undefined ? null : document.getElementById(rowId(selected))
    row?.scrollIntoView({ block: 'nearest' })
    if (row && list.current?.contains(document.activeElement)) row.focus({ preventScroll: true })
  }, [selected, at === -1])

  // The selected line is always drawn, so it keeps the focus.
  const drawn = rows.flatMap((_, index) => ((index >= first && index < last) || index === at ? index : []))
  const keys = useReusedKeys(drawn.map((index) => rows[index]!.request.id))
  return (
    <>
      <div class="request columns note" aria-hidden="true">
        <span />
        <span>Method</span>
        <span>Request</span>
        <span class="by">Route</span>
        <span class="clock">Time</span>
        <span class="size">Size</span>
        <span class="status">Status</span>
        <span class="duration">Took</span>
        <span class="bars">Waterfall</span>
      </div>
      <div
        class="request-list column"
        role="listbox"
        aria-label="Requests"
        ref={list}
        onClick={(event) => {
          const id = (event.target as Element).closest('[role=option]')?.id
          if (id) go({ request: Number(id.slice(rowId('').length)) })
        }}
      >
        <div class="rows" role="presentation" style={{ height: `${rows.length * height}px` }}>
          {drawn.map((index) => {
            const row = rows[index]!
            const { id } = row.request
            return (
              <Line
                key={keys.get(id)}
                row={row}
                bar={bars.get(id)}
                top={index * height}
                place={[index + 1, rows.length]}
                isSelected={index === at}
                isFocusable={index === Math.max(at, 0)}
                isPinned={server.pinned.includes(id)}
              />
            )
          })}
        </div>
      </div>
    </>
  )
}

/** A new line gets the elements of one that is gone: hundreds of requests a second are drawn in half the time. */
function useReusedKeys(ids: readonly number[]): ReadonlyMap<number, number> {
  const before = useRef<ReadonlyMap<number, number>>(new Map())
  const keys = new Map([...before.current].filter(([id]) => ids.includes(id)))
  const used = new Set(keys.values())
  let next = 0
  for (const id of ids) {
    if (keys.has(id)) continue
    while (used.has(next)) next++
    keys.set(id, next++)
  }
  before.current = keys
  return keys
}

/** Which lines are visible. New lines above do not move what is looked at. */
function useWindow(list: RefObject<HTMLDivElement | null>, rows: readonly RequestRow[]) {
  const [{ top, size, height }, measure] = useState({ top: 0, size: 1000, height: 30 })
  const seen = useRef(0)
  const read = () => {
    if (!list.current) return // the list is gone
    const { scrollTop, clientHeight } = list.current
    // As --row in tokens.css.
    const line = 1.875 * parseFloat(getComputedStyle(document.documentElement).fontSize)
    measure({ top: scrollTop, size: clientHeight, height: line })
  }
  useEffect(() => {
    const observer = new ResizeObserver(read)
    observer.observe(list.current!)
    list.current!.addEventListener('scroll', read, { passive: true })
    return () => observer.disconnect()
  }, [])
  const start = Math.floor(top / height)
  const anchor = seen.current
  seen.current = rows[start]?.request.id ?? 0
  useLayoutEffect(() => {
    const { current: element } = list
    const moved = rows.findIndex(({ request }) => request.id === anchor)
    if (!element || element.scrollTop === 0 || moved === -1 || moved === start) return
    element.scrollTop = moved * height + (element.scrollTop % height)
    seen.current = anchor
  }, [rows])
  return { height, first: start - spare, last: start + Math.ceil(size / height) + spare }
}

export function rowId(id: number | string): string {
  return `request-${id}`
}

interface LineProps {
  row: RequestRow
  bar: Bar | undefined
  top: number
  /** Position from 1, and number of lines. */
  place: [number, number]
  isSelected: boolean
  isFocusable: boolean
  isPinned: boolean
}

function Line({ row, bar, top, place, isSelected, isFocusable, isPinned }: LineProps) {
  const { request, count } = row
  const { id, method, operationType, status, duration, answeredBy, time, route, size, errors } = request
  const { title, detail } = titleOf(request)
  return (
    <div
      class="request"
      role="option"
      id={rowId(id)}
      aria-selected={isSelected}
      aria-posinset={place[0]}
      aria-setsize={place[1]}
      tabIndex={isFocusable ? 0 : -1}
      title={`${method} ${request.url}`}
      style={{ top: `${top}px` }}
    >
      <WhoIcon by={answeredBy} status={errors ? 500 : status} />
      <span class="method muted mono">{operationType ?? method}</span>
      <span class="target cut">
        {isPinned && <Icon name="pin" />}
        <span class="mono">{title}</span>
        {detail && <span class="muted mono">{` ${detail}`}</span>}
        {errors && <Failure errors={errors} />}
        {request.isServer && <span class="chip">server</span>}
        {request.stream && <span class="chip">{streamText(request.stream)}</span>}
        {count > 1 && <span class="chip" title={`${count} identical requests`}>{`×${count}`}</span>}
      </span>
      <span class="by cut muted">{route && ownName(route.name)}</span>
      <time class="clock cut muted mono">{formatTime(time)}</time>
      <span class="size muted mono">{size !== undefined && formatSize(size)}</span>
      <span class={`status mono tone-${toneOf(request)}`}>{statusText(request)}</span>
      <span class="duration muted mono">{duration !== undefined && formatDuration(duration)}</span>
      <span class="bars">
        {bar && (
          <span style={{ left: `${bar.left}%`, width: `${bar.width}%` }}>
            <span style={{ width: `${bar.delay}%` }} />
          </span>
        )}
      </span>
    </div>
  )
}
