import { createContext } from 'preact'
import { useContext, useState } from 'preact/hooks'
import { plural } from '../../../core/values/describe-value.ts'
import { exactJson, writtenNumber } from '../../../core/values/exact-number.ts'
import type { Json, ShownBody } from '../../api/api.ts'
import { useInspector } from '../inspector.ts'
import { formatSize } from '../logic/format.ts'
import { graphqlPieces } from '../logic/editing/highlight.ts'
import { entriesOf, openDepth, sizeText } from '../logic/values.ts'
import { Button, IconAction } from './controls.tsx'
import type { KeyPath } from '../../../core/values/values.ts'

/** Collapsed at first: headers are rarely needed. */
export function Headers({ headers }: { headers: Record<string, string> }) {
  const entries = Object.entries(headers)
  if (entries.length === 0) return null
  return (
    <details>
      <summary>
        <h3>Headers</h3> <span class="muted">{plural(entries.length, 'line')}</span>
      </summary>
      <Pairs entries={entries} />
    </details>
  )
}

export function Pairs({ entries }: { entries: [string, string][] }) {
  return (
    <dl class="pairs">
      {entries.map(([name, value], index) => (
        <div key={index}>
          <dt class="muted mono">{name}</dt>
          <dd class="mono">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export function Body(props: { body: ShownBody; what: string; type?: string | undefined }) {
  const { body, what, type = '' } = props
  const { text, size, isCut, base64 } = body
  if (size === 0) return <p class="muted">No body.</p>
  const [mime = ''] = type.split(';', 1)
  if (text === undefined)
    return (
      <>
        <p class="muted">{`Binary, ${formatSize(size)}${mime && ` (${mime})`}`}</p>
        {base64 !== undefined && <img class="image box" src={`data:${mime};base64,${base64}`} alt={what} />}
      </>
    )
  const json = isCut ? undefined : exactJson(text)
  return (
    <>
      {isCut && (
        <p class="notice edged tone-bad">{`Only the first ${formatSize(text.length)} of ${formatSize(size)} are kept.`}</p>
      )}
      {json ? <JsonTree value={json.value as Json} label={what} /> : <Code text={text} what={what} />}
    </>
  )
}

export function Code({ text, what, isGraphQL = false }: { text: string; what: string; isGraphQL?: boolean }) {
  const { copy } = useInspector()
  return (
    <div class="code">
      <pre class="box" tabIndex={0} role="region" aria-label={what}>
        {isGraphQL
          ? graphqlPieces(text).map((piece) =>
              piece.kind ? <span class={`token-${piece.kind}`}>{piece.text}</span> : piece.text,
            )
          : text}
      </pre>
      <IconAction icon="copy" label={`Copy ${what}`} onClick={() => copy(text, what)} />
    </div>
  )
}

const kinds: Record<string, string> = { '+': 'added', '-': 'removed', '@': 'hunk' }

export function Diff({ text }: { text: string }) {
  return (
    <pre class="diff box" tabIndex={0} role="region" aria-label="The difference">
      {text.split('\n').map((line, index) => (
        <span key={index} class={kinds[line[0]!]}>
          {line}
        </span>
      ))}
    </pre>
  )
}

/** Called with the path of a value that is clicked on. */
export const PickValue = createContext<((path: KeyPath) => void) | undefined>(undefined)

const openLines = 60

const chunk = 100

/** Made of text nodes only: a value of a request can't become HTML. */
export function JsonTree({ value, label }: { value: Json; label: string }) {
  return (
    <div class="json box" role="region" aria-label={label} tabIndex={0}>
      <Node value={value} depth={openDepth(value, openLines)} />
    </div>
  )
}

interface NodeProps {
  name?: string | undefined
  isIndex?: boolean
  value: Json
  depth: number
  path?: KeyPath
}

function Node({ name, isIndex = false, value, depth, path = [] }: NodeProps) {
  const pick = useContext(PickValue)
  const [isOpen, setOpen] = useState(depth > 0)
  const [shown, setShown] = useState(chunk)
  const entries = entriesOf(value)
  if (!entries || entries.length === 0)
    return (
      <div class="leaf">
        <Name name={name} isIndex={isIndex} />
        {pick ? (
          <Button
            class="pick"
            tabIndex={-1} // the list below has it for the keyboard
            title="What if this fails?"
            onClick={() => pick(path)}
          >
            <Leaf value={value} />
          </Button>
        ) : (
          <Leaf value={value} />
        )}
      </div>
    )
  const isList = Array.isArray(value)
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Name name={name} isIndex={isIndex} />
        <span class="muted">{isList ? '[' : '{'}</span>
        {!isOpen && <span class="size muted">{sizeText(value)}</span>}
        {!isOpen && <span class="muted">{isList ? ']' : '}'}</span>}
      </summary>
      {isOpen && (
        <div class="entries">
          {entries.slice(0, shown).map(([key, child]) => (
            <Node
              key={key}
              name={key}
              isIndex={isList}
              value={child}
              depth={depth - 1}
              path={[...path, isList ? Number(key) : key]}
            />
          ))}
          {entries.length > shown && (
            <Button onClick={() => setShown(shown + chunk * 5)}>
              {`Show more (${entries.length - shown} left)`}
            </Button>
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

function Leaf({ value }: { value: Json }) {
  if (value === null || typeof value === 'boolean') return <span class="token-word">{String(value)}</span>
  const number = writtenNumber(value) ?? value
  if (number !== value || typeof value === 'number') return <span class="token-number">{String(number)}</span>
  if (typeof value === 'string') return <span class="token-string">{JSON.stringify(value)}</span>
  return <span class="muted">{Array.isArray(value) ? '[]' : '{}'}</span>
}
