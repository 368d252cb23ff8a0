import type { ComponentChildren } from 'preact'
import type { OpenFile, Position } from '../../api.ts'
import { useInspector } from '../inspector-context.ts'
import { formatPosition } from '../logic/format.ts'
import { Icon, type IconName } from './icons.tsx'

interface ActionProps {
  icon: IconName
  onClick: () => void
  children: ComponentChildren
  /** Only the icon is shown; the text is its name. */
  isSmall?: boolean
  pressed?: boolean | undefined
  expanded?: boolean | undefined
  title?: string | undefined
}

export function Action({ icon, onClick, children, isSmall = false, pressed, expanded, title }: ActionProps) {
  return (
    <button
      type="button"
      class={isSmall ? 'action line small' : 'action line'}
      onClick={onClick}
      aria-pressed={pressed}
      aria-expanded={expanded}
      title={title ?? (isSmall && typeof children === 'string' ? children : undefined)}
    >
      <Icon name={icon} />
      <span class={isSmall ? 'visually-hidden' : undefined}>{children}</span>
    </button>
  )
}

/** A button that opens the editor at the position of a route or a problem. `text` replaces the position as its label. */
export function PositionLink({ position, text }: { position: Position; text?: string }) {
  const { openInEditor } = useInspector()
  const { file, line, column } = position
  if (file === undefined) return null
  const opened: OpenFile = { file, ...(line && { line }), ...(column && { column }) }
  return (
    <button
      type="button"
      class="position"
      title={`Open ${formatPosition(position)} in the editor`}
      onClick={() => openInEditor(opened)}
    >
      {text ?? formatPosition(position)}
    </button>
  )
}
