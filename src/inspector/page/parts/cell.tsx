import { useRef, useState } from 'preact/hooks'
import type { Json } from '../../api/api.ts'
import {
  cellText,
  valueKindOf,
  readCell,
  strangeKind,
  type ValueChoice,
  type Column,
  type ValueKind,
  type Question,
} from '../logic/items.ts'
import { Button } from './controls.tsx'

interface CellProps {
  name: string
  value: Json | undefined
  column: Column
  onSave: (choice: ValueChoice) => void
}

/** A field that looks like text until it is edited. Enter or leaving it saves, or asks; Escape does neither. */
export function Cell({ name, value, column, onSave }: CellProps) {
  const [asked, ask] = useState<Question>()
  const input = useRef<HTMLInputElement>(null)
  const text = cellText(value)
  const strange = strangeKind(value, column)
  const reset = () => {
    input.current!.value = text
    ask(undefined)
  }
  const finish = (typed: string) => {
    if (typed === text) return reset()
    const read = readCell(typed, value, column)
    if ('choices' in read) return ask(read)
    if (read.kind === valueKindOf(value) && cellText(read.value) === text) return reset()
    ask(undefined)
    onSave(read)
  }
  return (
    <>
      <span class="line">
        <input
          ref={input}
          class="cell mono"
          aria-label={strange ? `${name}, ${strange}` : name}
          aria-invalid={asked !== undefined}
          placeholder={value === null ? 'null' : value === '' ? '""' : undefined}
          defaultValue={text}
          size={Math.min(Math.max(text.length, 4), 40)}
          onKeyDown={({ key, currentTarget }) => {
            if (key === 'Escape') reset()
            if (key === 'Escape' || key === 'Enter') currentTarget.blur()
          }}
          onBlur={({ currentTarget }) => finish(currentTarget.value)}
        />
        <StrangeKind kind={strange} />
      </span>
      {asked && (
        <KindQuestion
          {...asked}
          onChoose={onSave}
          onCancel={() => {
            reset()
            input.current!.focus()
          }}
        />
      )}
    </>
  )
}

/** Renders nothing without a kind. */
export function StrangeKind({ kind }: { kind: ValueKind | undefined }) {
  return kind ? <span class="chip tone-failed">{kind}</span> : null
}

interface AskedProps extends Question {
  onChoose: (choice: ValueChoice) => void
  onCancel: () => void
}

export function KindQuestion({ expected, choices, onChoose, onCancel }: AskedProps) {
  const isOther = expected && !choices.some(({ kind }) => kind === expected)
  return (
    <p class="line" role="alert" onKeyDown={({ key }) => key === 'Escape' && onCancel()}>
      {isOther ? `Not ${expected === 'object' ? 'an' : 'a'} ${expected}.` : 'What is it?'}
      {choices.map((choice) => (
        <Button key={choice.kind} onClick={() => onChoose(choice)}>
          {choice.kind ? `Save as ${choice.kind}` : 'Leave it out'}
        </Button>
      ))}
      <Button onClick={onCancel}>Cancel</Button>
    </p>
  )
}
