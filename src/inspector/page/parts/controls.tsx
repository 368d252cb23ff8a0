import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import type { AnsweredBy, GraphQLFailure, Omission, OpenFile, Position } from '../../api/api.ts'
import { useInspector } from '../inspector.ts'
import { answeredBy, formatPosition } from '../logic/format.ts'

/** Button of the page that sends no form. */
export function Button(props: ButtonHTMLAttributes) {
  return <button type="button" {...props} />
}

interface ActionProps extends ButtonHTMLAttributes {
  icon?: IconName
  label: ComponentChildren
}

export function Action({ icon, label, ...others }: ActionProps) {
  return (
    <Button class="action line" {...others}>
      {icon && <Icon name={icon} />}
      <span>{label}</span>
    </Button>
  )
}

interface IconActionProps extends ButtonHTMLAttributes {
  icon: IconName
  /** Text for screen readers, and for who points at it. */
  label: string
}

/** Button that shows only an icon. */
export function IconAction({ icon, label, ...others }: IconActionProps) {
  return (
    <Button class="action line small" title={label} {...others}>
      <Icon name={icon} />
      <span class="visually-hidden">{label}</span>
    </Button>
  )
}

interface CheckProps {
  checked: boolean
  onChange: (isOn: boolean) => void
  label: ComponentChildren
  title?: string
}

export function Check({ checked, onChange, label, title }: CheckProps) {
  return (
    <label class="check line" title={title}>
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  )
}

export function PositionLink({ position, text }: { position: Position; text?: string }) {
  const { openInEditor } = useInspector()
  const { file, line, column } = position
  if (file === undefined) return null
  const opened: OpenFile = { file, ...(line && { line }), ...(column && { column }) }
  return (
    <Button
      class="position mono"
      title={`Open ${formatPosition(position)} in the editor`}
      onClick={() => openInEditor(opened)}
    >
      {text ?? formatPosition(position)}
    </Button>
  )
}

export function Section(props: { title: string; id?: string; children: ComponentChildren }) {
  return (
    <section class="stack tight" aria-labelledby={props.id}>
      <h3 id={props.id}>{props.title}</h3>
      {props.children}
    </section>
  )
}

/** A view with a heading that stays in sight. */
export function Page(props: { title: string; tools?: ComponentChildren; children: ComponentChildren }) {
  return (
    <div class="page stack">
      <div class="toolbar line sticky">
        <h2>{props.title}</h2>
        {props.tools}
      </div>
      {props.children}
    </div>
  )
}

export function Scenarios({ names }: { names: readonly string[] }) {
  return names.map((name) => (
    <span class="chip tone-bad" key={name}>
      {name}
    </span>
  ))
}

export function Omitted({ omitted }: { omitted: readonly Omission[] }) {
  if (omitted.length === 0) return null
  return (
    <details>
      <summary>Left out: {omitted.length}</summary>
      <ul>
        {omitted.map(({ what, why, where }) => (
          <li key={`${where} ${what} ${why}`}>
            <code>{where}</code> {what}: {why}
          </li>
        ))}
      </ul>
    </details>
  )
}

/** GraphQL failures come with HTTP 200. */
export function Failure({ errors }: { errors: GraphQLFailure }) {
  return (
    <span class="chip tone-failed" title={errors.message}>
      {errors.mark}
    </span>
  )
}

/** Renders nothing without a text. */
export function Problem({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <p class="notice edged tone-failed" role="alert" key={text} ref={bringIntoView}>
      {text}
    </p>
  )
}

const bringIntoView = (element: Element | null) => element?.scrollIntoView({ block: 'nearest' })

/** The browser keeps the focus in it, and Escape closes it. */
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
        <header class="line between">
          <h2 id={id}>{title}</h2>
          <IconAction icon="close" label="Close" onClick={() => element.current?.close()} />
        </header>
        {children}
      </div>
    </dialog>
  )
}

export const filterId = 'filter'

export function FilterField({ label, example }: { label: string; example: string }) {
  const { place, go } = useInspector()
  return (
    <input
      id={filterId}
      type="search"
      class="grow"
      placeholder={`Filter: ${example}`}
      aria-label={label}
      aria-keyshortcuts="/"
      value={place.filter}
      autocomplete="off"
      spellcheck={false}
      onInput={(event) => go({ filter: event.currentTarget.value })}
    />
  )
}

/** One path each, on a 16 by 16 grid. */
const drawings = {
  route: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM5 8.2l2.1 2.1L11 6.2',
  failed: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM8 4.5V9M8 11.2v.3',
  template: 'M2.5 4.5h8v9h-8zM5.5 4.5v-3h8v9h-3',
  fault: 'M9 1.5 3.5 9H8l-1 5.5L12.5 7H8z',
  override: 'M2 4.5h5m4 0h3M2 11.5h2m4 0h6M9 2.5v4M6 9.5v4',
  nothing:
    'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM6.2 6.2a1.8 1.8 0 1 1 2.6 1.6c-.6.3-.8.6-.8 1.3M8 11.3v.2',
  refused: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM3.5 3.5l9 9',
  plugin: 'M6 5 2.5 8 6 11m4-6 3.5 3L10 11',
  'passed-on': 'M2 8h11M9 4l4 4-4 4',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  file: 'M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3',
  again: 'M13.5 8a5.5 5.5 0 1 1-1.6-3.9M13.5 1.5v3h-3',
  edit: 'M2.5 13.5v-3l8-8 3 3-8 8zM8.5 4.5l3 3',
  write: 'M3.5 1.5h9v13h-9zM8 5v6M5 8h6',
  pause: 'M5 3v10M11 3v10',
  resume: 'M4.5 2.5 12.5 8l-8 5.5z',
  clear: 'M2.5 4.5h11M6 4V2.5h4V4M4 4.5l.7 9h6.6l.7-9',
  system: 'M1.5 3h13v8h-13zM5.5 14h5M8 11v3',
  light:
    'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1',
  dark: 'M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7Z',
  switches: 'M2 4.5h5m4 0h3M2 11.5h2m4 0h6M9 2.5v4M6 9.5v4',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  back: 'M14 8H3M7 4 3 8l4 4',
  export: 'M8 10V2M5 5l3-3 3 3M2.5 10v3.5h11V10',
  group: 'M2.5 3.5h11v4h-11zM4 10h8M5.5 12.5h5',
  compare: 'M2.5 2.5h4.5v11H2.5zM9 2.5h4.5v11H9z',
  pin: 'M8 10v5M4.5 10h7L10 7V2.5H6V7z',
} as const

type IconName = keyof typeof drawings

/** Decorative: a text with the same meaning stands next to it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={drawings[name]} />
    </svg>
  )
}

export function WhoIcon({ by, status = 0 }: { by: AnsweredBy; status?: number | undefined }) {
  const isError = ['route', 'template'].includes(by) && status >= 400
  const kind = isError ? 'failed' : by
  return (
    <svg
      class={`icon who who-${isError && status < 500 ? 'nothing' : kind}`}
      viewBox="0 0 16 16"
      role="img"
      aria-label={answeredBy[by]}
    >
      <title>{answeredBy[by]}</title>
      <path d={drawings[kind]} />
    </svg>
  )
}
