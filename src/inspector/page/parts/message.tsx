import type { ShownBody } from '../../api.ts'
import { count, formatSize } from '../logic/format.ts'
import { parseJson } from '../logic/json.ts'
import { Code } from './code.tsx'
import { JsonTree } from './json-tree.tsx'

/** Headers, collapsed at first because they are rarely needed. */
export function Headers({ headers }: { headers: Record<string, string> }) {
  const entries = Object.entries(headers)
  if (entries.length === 0) return null
  return (
    <details class="section">
      <summary>
        <h3>Headers</h3> <span class="muted">{count(entries.length, 'line')}</span>
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
          <dt class="muted">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A body: JSON as a tree, other text as it is. */
export function Body({ body, what }: { body: ShownBody; what: string }) {
  const { text, size, isCut } = body
  if (size === 0) return <p class="muted">No body.</p>
  if (text === undefined) return <p class="muted">{formatSize(size)} that are not text.</p>
  const json = isCut ? undefined : parseJson(text)
  return (
    <>
      {json ? <JsonTree value={json.value} label={what} /> : <Code text={text} what={what} />}
      {isCut && <p class="muted">The first part of {formatSize(size)}.</p>}
    </>
  )
}
