import { Component } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { RequestSummary } from '../../api.ts'
import { useInspector } from '../inspector-context.ts'
import { formatDuration, formatTime, statusKind, statusText, titleOf } from '../logic/format.ts'
import { WhoIcon } from '../parts/icons.tsx'

interface ListProps {
  requests: readonly RequestSummary[]
}

/** The requests as a list box: one row is focusable, and the arrow keys move the focus. */
export function RequestList({ requests }: ListProps) {
  const { place, go } = useInspector()
  const list = useRef<HTMLDivElement>(null)
  const { request: selected } = place
  const focusable = requests.some(({ id }) => id === selected) ? selected : requests[0]?.id

  useEffect(() => {
    const row = selected !== undefined && document.getElementById(rowId(selected))
    if (!row) return
    row.scrollIntoView({ block: 'nearest' })
    // The focus follows the selection if it is in the list.
    if (list.current?.contains(document.activeElement)) row.focus({ preventScroll: true })
  }, [selected])

  return (
    <div
      class="request-list"
      role="listbox"
      aria-label="Requests"
      ref={list}
      onClick={(event) => {
        const id = (event.target as Element).closest('[role=option]')?.id
        if (id) go({ request: Number(id.slice(rowId('').length)) })
      }}
    >
      {requests.map((request) => (
        <Row
          key={request.id}
          request={request}
          isSelected={request.id === selected}
          isFocusable={request.id === focusable}
        />
      ))}
    </div>
  )
}

export function rowId(id: number | string): string {
  return `request-${id}`
}

interface RowProps {
  request: RequestSummary
  isSelected: boolean
  isFocusable: boolean
}

/** A class for `shouldComponentUpdate`: only rows that changed are rendered again. */
class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const { request, isSelected, isFocusable } = this.props
    return next.request !== request || next.isSelected !== isSelected || next.isFocusable !== isFocusable
  }

  override render({ request, isSelected, isFocusable }: RowProps) {
    const { id, method, operationType, status, duration, answeredBy, time, route } = request
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
        <WhoIcon by={answeredBy} />
        <span class="method">{operationType ?? method}</span>
        <span class="target cut">
          <span class="title">{title}</span>
          {detail && <span class="detail muted">{detail}</span>}
        </span>
        <span class="by cut muted">{route?.name}</span>
        <time class="clock cut muted">{formatTime(time)}</time>
        <span class={`status tone-${statusKind(status)}`}>{statusText(request)}</span>
        <span class="duration muted">{duration !== undefined && formatDuration(duration)}</span>
      </div>
    )
  }
}
