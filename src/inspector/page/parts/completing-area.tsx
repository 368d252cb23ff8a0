import type { TargetedMouseEvent } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { Completion, Completions } from '../logic/editing/complete.ts'

const maxListed = 8

interface AreaProps {
  label: string
  text: string
  rows: number
  placeholder?: string
  /** Returns completions at the caret. A new function is called again, for example when a schema has loaded. */
  complete: (text: string, caret: number) => Completions | undefined
  /** Matches the text before the caret where completions open by themselves. Elsewhere, Ctrl+Space opens them. */
  begun: RegExp
  onInput: (text: string) => void
  onCaret?: (caret: number) => void
  /** Describes a place under the pointer. */
  describe?: (place: number) => string | undefined
  /** Where the caret is at first; without it, the area has no focus. */
  caret?: number
}

export function CompletingArea({
  label,
  text,
  complete,
  begun,
  onInput,
  onCaret,
  describe,
  caret: first,
  ...others
}: AreaProps) {
  const [completions, setCompletions] = useState<Completions>()
  const [chosen, setChosen] = useState(0)
  const [hovered, setHovered] = useState<{ inset: string; text: string }>()
  const area = useRef<HTMLTextAreaElement>(null)
  const isTyped = useRef(false)
  const id = useId()
  useEffect(() => {
    if (first === undefined) return
    const { current: element } = area
    element!.focus()
    element!.setSelectionRange(first, first)
    const lines = text.split('\n').length
    const line = text.slice(0, first).split('\n').length
    element!.scrollTop = (element!.scrollHeight / lines) * Math.max(0, line - 5)
  }, [])

  const suggest = (next: string, caret: number) => {
    const found = complete(next, caret)
    setCompletions(found && { ...found, list: found.list.slice(0, maxListed) })
    setChosen(0)
  }
  const suggestIfBegun = (next: string, caret: number) =>
    begun.test(next.slice(0, caret)) ? suggest(next, caret) : setCompletions(undefined)
  useEffect(() => {
    if (isTyped.current) suggestIfBegun(area.current!.value, area.current!.selectionStart)
  }, [complete])
  const change = (next: string, caret: number) => {
    isTyped.current = true
    suggestIfBegun(next, caret)
    onInput(next)
  }
  const tellCaret = () => onCaret?.(area.current!.selectionStart)
  const accept = ({ text: inserted }: Completion) => {
    const { selectionStart: caret, value } = area.current!
    const { from } = completions!
    const next = value.slice(0, from) + inserted + value.slice(caret)
    area.current!.value = next
    area.current!.focus()
    area.current!.setSelectionRange(from + inserted.length, from + inserted.length)
    change(next, from + inserted.length)
  }
  const press = (event: KeyboardEvent) => {
    const { key } = event
    if (key === ' ' && event.ctrlKey) return suggest(text, area.current!.selectionStart)
    if (!completions) return
    const { list } = completions
    if (key === 'Escape') setCompletions(undefined)
    else if (key === 'ArrowDown') setChosen((chosen + 1) % list.length)
    else if (key === 'ArrowUp') setChosen((chosen + list.length - 1) % list.length)
    else if (key === 'Enter' || key === 'Tab') accept(list[chosen]!)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const point = ({ currentTarget, offsetX, offsetY }: TargetedMouseEvent<HTMLTextAreaElement>) => {
    const place = placeAt(currentTarget, offsetX, offsetY)
    const found = place === undefined ? undefined : describe?.(place)
    setHovered(
      found === undefined ? found : { inset: `${offsetY + 24}px auto auto ${offsetX / 2}px`, text: found },
    )
  }
  return (
    <div class="editor stack tight">
      <textarea
        {...others}
        ref={area}
        class="mono"
        aria-label={label}
        aria-autocomplete="list"
        aria-controls={completions && id}
        aria-activedescendant={completions && `${id}-${chosen}`}
        value={text}
        spellcheck={false}
        wrap="off"
        onInput={({ currentTarget }) => change(currentTarget.value, currentTarget.selectionStart)}
        onKeyDown={press}
        onKeyUp={tellCaret}
        onClick={tellCaret}
        onBlur={() => setCompletions(undefined)}
        onMouseMove={point}
        onMouseLeave={() => setHovered(undefined)}
      />
      {hovered && !completions && (
        <p class="completions card note" role="tooltip" style={{ inset: hovered.inset }}>
          {hovered.text}
        </p>
      )}
      {completions && (
        <ul class="completions card" role="listbox" id={id} aria-label="Completions">
          {completions.list.map((one, index) => (
            <li
              key={one.label}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === chosen}
              // The text area keeps the focus.
              onMouseDown={(event) => {
                event.preventDefault()
                accept(one)
              }}
            >
              <code>{one.label}</code> <span class="note cut">{one.help}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** The place of the text under the pointer; `undefined` beside the text. Lines do not wrap, and all characters have one width. */
function placeAt(area: HTMLTextAreaElement, x: number, y: number): number | undefined {
  const style = getComputedStyle(area)
  const context = document.createElement('canvas').getContext('2d')!
  context.font = style.font
  const column = Math.floor(
    (x + area.scrollLeft - parseFloat(style.paddingLeft)) / context.measureText('0').width,
  )
  const row = Math.floor((y + area.scrollTop - parseFloat(style.paddingTop)) / parseFloat(style.lineHeight))
  const lines = area.value.split('\n')
  if (!/[$\w.-]/.test(lines[row]?.[column] ?? '')) return undefined
  return lines.slice(0, row).reduce((sum, line) => sum + line.length + 1, column)
}
