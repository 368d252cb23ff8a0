import type { ComponentChildren, InputHTMLAttributes, JSX } from 'preact'
import { useId } from 'preact/hooks'

interface FormProps {
  class: string
  onSubmit: (form: HTMLFormElement) => void
  children: ComponentChildren
}

/** A form that leaves the page where it is. */
export function Form({ onSubmit, ...others }: FormProps) {
  return (
    <form
      {...others}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(event.currentTarget)
      }}
    />
  )
}

interface TextProps extends Pick<InputHTMLAttributes<HTMLInputElement>, 'onInput' | 'onChange'> {
  label: string
  value: string | undefined
  offered: Iterable<string>
}

/** A line of text, with values that the browser offers. */
export function TextField({ label, offered, ...others }: TextProps) {
  const list = useId()
  return (
    <label class="field">
      {label}
      <input class="mono" list={list} spellcheck={false} autocomplete="off" {...others} />
      <datalist id={list}>
        {[...offered].map((value) => (
          <option key={value} value={value} />
        ))}
      </datalist>
    </label>
  )
}

type AreaProps = JSX.IntrinsicElements['textarea'] & { label: string; onText: (text: string) => void }

export function AreaField({ label, onText, ...others }: AreaProps) {
  return (
    <label class="field">
      {label}
      <textarea spellcheck={false} onInput={(event) => onText(event.currentTarget.value)} {...others} />
    </label>
  )
}
