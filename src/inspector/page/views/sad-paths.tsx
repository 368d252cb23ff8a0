import type * as ListModule from './sad-path-list.tsx'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { RequestDetails } from '../../api/api.ts'
import { positionOf } from '../logic/sad-paths.ts'
import { PickValue } from '../parts/values.tsx'

/** Around an answer: a click on a value of it shows how that can fail. */
export function SadPaths({ request, children }: { request: RequestDetails; children: ComponentChildren }) {
  const [picked, pick] = useState<string>()
  const [isOpen, setOpen] = useState(false)
  /** Loaded when it is opened, where a bundler splits the page. */
  const [view, setView] = useState<typeof ListModule>()
  useEffect(() => pick(undefined), [request.id])
  useEffect(() => {
    if (isOpen) void import('./sad-path-list.tsx').then(setView)
  }, [isOpen])
  return (
    <PickValue.Provider
      value={(path) => {
        pick(positionOf(path, request))
        setOpen(true)
      }}
    >
      {children}
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <h3>What if it fails?</h3> <span class="muted">Click a value, or open the list.</span>
        </summary>
        {isOpen && view && (
          <view.SadPathList
            key={request.id}
            request={request}
            picked={picked}
            showAll={() => pick(undefined)}
          />
        )}
      </details>
    </PickValue.Provider>
  )
}
