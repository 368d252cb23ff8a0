import { useState } from 'preact/hooks'
import { entriesOf, LongNumber, openDepth, sizeOf, type Shown } from '../logic/json.ts'

/** Maximum number of lines that are open at first. */
const openLines = 60

/** How many entries of one list are shown at a time. */
const chunk = 100

/** A JSON value as a collapsible tree, made of text nodes only. */
export function JsonTree({ value, label }: { value: Shown; label: string }) {
  return (
    <div class="json" role="region" aria-label={label} tabIndex={0}>
      <Node value={value} depth={openDepth(value, openLines)} />
    </div>
  )
}

interface NodeProps {
  name?: string | undefined
  /** Whether the name is the index of a list item. */
  isIndex?: boolean
  value: Shown
  /** How many levels are open at first. */
  depth: number
}

function Node({ name, isIndex = false, value, depth }: NodeProps) {
  const [isOpen, setOpen] = useState(depth > 0)
  const [shown, setShown] = useState(chunk)
  const entries = entriesOf(value)
  if (!entries || entries.length === 0) {
    return (
      <div class="leaf">
        <Name name={name} isIndex={isIndex} />
        <Leaf value={value} />
      </div>
    )
  }
  const isList = Array.isArray(value)
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Name name={name} isIndex={isIndex} />
        <span class="muted">{isList ? '[' : '{'}</span>
        {!isOpen && <span class="size muted">{sizeOf(value)}</span>}
        {!isOpen && <span class="muted">{isList ? ']' : '}'}</span>}
      </summary>
      {isOpen && (
        <div class="entries">
          {entries.slice(0, shown).map(([key, child]) => (
            <Node key={key} name={key} isIndex={isList} value={child} depth={depth - 1} />
          ))}
          {entries.length > shown && (
            <button type="button" class="more" onClick={() => setShown(shown + chunk * 5)}>
              {`Show more (${entries.length - shown} left)`}
            </button>
          )}
        </div>
      )}
      {isOpen && <span class="end muted">{isList ? ']' : '}'}</span>}
    </details>
  )
}

function Name({ name, isIndex }: { name?: string | undefined; isIndex: boolean }) {
  return name === undefined ? null : (
    <>
      <span class={isIndex ? 'muted' : 'token-key'}>{name}</span>
      <span class="muted">: </span>
    </>
  )
}

function Leaf({ value }: { value: Shown }) {
  if (value instanceof LongNumber) return <span class="token-number">{value.text}</span>
  if (value === null || typeof value === 'boolean') return <span class="token-word">{String(value)}</span>
  if (typeof value === 'number') return <span class="token-number">{String(value)}</span>
  if (typeof value === 'string') return <span class="token-string">{JSON.stringify(value)}</span>
  return <span class="muted">{Array.isArray(value) ? '[]' : '{}'}</span>
}
