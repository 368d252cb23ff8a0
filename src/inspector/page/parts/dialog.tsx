import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Action } from './buttons.tsx'

/** A modal dialog, shown as long as it is rendered. The browser keeps the focus in it, and Escape closes it. */
export function Dialog(props: { title: string; onClose: () => void; children: ComponentChildren }) {
  const { title, onClose, children } = props
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = element.current
    if (dialog && !dialog.open) dialog.showModal()
  }, [])
  return (
    <dialog
      class="card"
      ref={element}
      aria-labelledby={id}
      onClose={onClose}
      onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
    >
      <div class="dialog stack">
        <header class="line">
          <h2 id={id}>{title}</h2>
          <Action icon="close" isSmall onClick={() => element.current?.close()}>
            Close
          </Action>
        </header>
        {children}
      </div>
    </dialog>
  )
}
