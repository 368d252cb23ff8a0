import { Fragment } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { useInspector } from './inspector.ts'
import { type Command, commandOf, shortcuts } from './logic/commands.ts'
import { parsePlace, tabs } from './logic/place.ts'
import { neighbour } from './logic/list.ts'
import { Dialog, filterId } from './parts/controls.tsx'
import { detailsId } from './views/request-details.tsx'
import { rowId } from './views/request-list.tsx'

export function Keys({ onHelp }: { onHelp: () => void }) {
  const { go, pause, clear, pin, rows } = useInspector()
  // Keys may come faster than the page is rendered.
  const currentPlace = () => parsePlace(location.hash)

  const run: Record<Command, (key: string) => void> = {
    help: onHelp,
    pause,
    clear,
    filter: () => document.getElementById(filterId)?.focus(),
    switches: () => go({ switches: !currentPlace().switches }),
    next: () => select(1),
    previous: () => select(-1),
    open: () => document.getElementById(detailsId)?.focus(),
    back,
    tab: (key) => go({ tab: tabs[Number(key) - 1]! }),
    group: () => go({ each: !currentPlace().each }),
    pin: () => currentPlace().request !== undefined && pin(currentPlace().request!),
  }

  function select(step: number): void {
    const { request: selected } = currentPlace()
    const request = neighbour(rows, selected, step)
    if (!request) return
    document.getElementById(rowId(selected ?? request.id))?.focus()
    go({ view: 'requests', request: request.id })
  }

  /** One step back: filter, details, list, request, panel. */
  function back(): void {
    const { activeElement: focused } = document
    const place = currentPlace()
    const row = place.request === undefined ? null : document.getElementById(rowId(place.request))
    if (focused?.id === filterId) {
      if (place.filter) go({ filter: '' })
      else (focused as HTMLElement).blur()
    } else if (row && document.getElementById(detailsId)?.contains(focused)) {
      row.focus()
      // On a narrow screen, only one of them is shown.
      if (document.activeElement !== row) go({ request: undefined })
    } else if (place.request !== undefined) go({ request: undefined })
    else if (place.switches) go({ switches: false })
  }

  // With the rows that are shown: an effect comes a frame later, and a key before it would know the rows of before.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      // An open dialog handles its own keys.
      if (document.querySelector('dialog[open]')) return
      const command = commandOf(event, event.target as HTMLElement)
      if (!command) return
      if (command !== 'back') event.preventDefault()
      run[command](event.key)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
  return null
}

const shownKeys: Record<string, string> = { ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc' }

export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl class="keys stack tight">
        {shortcuts.map(({ keys, help }) => (
          <div key={help}>
            <dt>
              {keys.map((key) => (
                <Fragment key={key}>
                  <kbd>{shownKeys[key] ?? key}</kbd>{' '}
                </Fragment>
              ))}
            </dt>
            <dd>{help}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
