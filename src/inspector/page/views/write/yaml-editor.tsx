import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { Edit } from '../../../api.ts'
import { complete, type Completion, type JsonSchema } from '../../logic/complete.ts'

const maxListed = 8
/** A word, or where a value or a key of one line is expected. Elsewhere, Ctrl and space ask for completions. */
const begun = /[$\w.-]$|(?:: |[{,] )$/

let schema: JsonSchema | undefined

/** A text area that completes with the JSON Schema of fixture files. The text is checked as the server would read it. */
export function YamlEditor({ edit, onChange }: { edit: Edit; onChange: (text: string) => void }) {
  const [text, setText] = useState(edit.text)
  const [completions, setCompletions] = useState<{ from: number; list: Completion[] }>()
  const [chosen, setChosen] = useState(0)
  const area = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  const isYaml = /\.ya?ml$/i.test(edit.file)
  useEffect(() => {
    schema ??= {}
    if (isYaml && !schema.$defs)
      void fetch('fixture.schema.json').then(async (answer) => {
        schema = (await answer.json()) as JsonSchema
        const typed = area.current
        if (typed && typed.value !== edit.text) suggestIfBegun(typed.value, typed.selectionStart)
      })
    showChange(area.current!, edit)
  }, [])

  const suggest = (next: string, caret: number) => {
    const found = isYaml && schema?.$defs ? complete(next, caret, schema) : undefined
    setCompletions(found && { ...found, list: found.list.slice(0, maxListed) })
    setChosen(0)
  }
  const suggestIfBegun = (next: string, caret: number) => {
    if (begun.test(next.slice(0, caret))) suggest(next, caret)
    else setCompletions(undefined)
  }
  const change = (next: string, caret: number) => {
    setText(next)
    suggestIfBegun(next, caret)
    onChange(next)
  }
  const accept = ({ text: inserted }: Completion) => {
    const { selectionStart: caret } = area.current!
    const { from } = completions!
    const next = text.slice(0, from) + inserted + text.slice(caret)
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
  return (
    <div class="editor stack tight">
      <textarea
        ref={area}
        class="mono"
        aria-label={edit.file}
        aria-autocomplete="list"
        aria-controls={completions && id}
        aria-activedescendant={completions && `${id}-${chosen}`}
        rows={Math.min(16, text.split('\n').length + 1)}
        value={text}
        spellcheck={false}
        wrap="off"
        onInput={({ currentTarget }) => change(currentTarget.value, currentTarget.selectionStart)}
        onKeyDown={press}
        onBlur={() => setCompletions(undefined)}
      />
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

/** Puts the caret at the first line that differs. */
function showChange(area: HTMLTextAreaElement, { text, diff }: Edit): void {
  const [, start = '1'] = /^@@ -\S+ \+(\d+)/.exec(diff) ?? []
  const lines = text.split('\n')
  const before = lines.slice(0, Number(start) + 1).join('\n').length
  area.focus()
  area.setSelectionRange(before, before)
  area.scrollTop = (area.scrollHeight / lines.length) * Math.max(0, Number(start) - 3)
}
