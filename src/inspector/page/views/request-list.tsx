import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
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
import { type Bar, type Row, waterfall } from '../logic/list.ts'
import { Failure, Icon, WhoIcon } from '../parts/controls.tsx'

/** A list box: one line is focusable, and the arrow keys move the focus. */
export function RequestList() {
  const { rows, place, go, server } = useInspector()
  const list = useRef<HTMLDivElement>(null)
  const { request: selected } = place
  const at = rows.findIndex(({ request }) => request.id === selected)
  const bars = useMemo(() => waterfall(rows, Date.now()), [rows])
  const readAnchor = useAnchor(list, rows)

  useEffect(() => {
    const row = selected === undefined ? null : document.getElementById(rowId(selected))
    row?.scrollIntoView({ block: 'nearest' })
    if (list.current?.contains(document.activeElement)) row?.focus({ preventScroll: true })
  }, [selected, at === -1])

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
        onScroll={readAnchor}
        onClick={(event) => {
          const id = (event.target as Element).closest('[role=option]')?.id
          if (id) go({ request: Number(id.slice(rowId('').length)) })
        }}
      >
        {rows.map((row, index) => (
          <Line
            key={row.request.id}
            row={row}
            bar={bars.get(row.request.id)}
            isSelected={index === at}
            isFocusable={index === Math.max(at, 0)}
            isPinned={server.pinned.includes(row.request.id)}
          />
        ))}
      </div>
    </>
  )
}

/** New lines above do not move what is looked at: Safari has no `overflow-anchor`. */
function useAnchor(list: RefObject<HTMLElement | null>, rows: readonly Row[]): () => void {
  const anchor = useRef<{ line: HTMLElement | undefined; top: number }>(undefined)
  const read = () => {
    const { scrollTop, children } = list.current!
    const line = ([...children] as HTMLElement[]).find((one) => one.offsetTop + one.offsetHeight > scrollTop)
    anchor.current = { line, top: line?.offsetTop ?? 0 }
  }
  useLayoutEffect(() => {
    const { line, top = 0 } = anchor.current ?? {}
    if (line?.isConnected && list.current!.scrollTop > 0) list.current!.scrollTop += line.offsetTop - top
    read()
  }, [rows])
  return read
}

export function rowId(id: number | string): string {
  return `request-${id}`
}

interface LineProps {
  row: Row
  bar: Bar | undefined
  isSelected: boolean
  isFocusable: boolean
  isPinned: boolean
}

function Line({ row, bar, isSelected, isFocusable, isPinned }: LineProps) {
  const { request, count } = row
  const { id, method, operationType, status, duration, answeredBy, time, route, size, errors } = request
  const { title, detail } = titleOf(request)
  return (
    <div
      class="request"
      role="option"
      id={rowId(id)}
      aria-selected={isSelected}
      tabIndex={isFocusable ? 0 : -1}
      title={`${method} ${request.url}`}
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
