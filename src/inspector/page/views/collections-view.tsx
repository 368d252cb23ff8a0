import { useEffect, useState } from 'preact/hooks'
import { plural } from '../../../core/values/describe-value.ts'
import { findItems, type SortKey } from '../../../core/collection/find-items.ts'
import { reasonOf } from '../../../core/values/thrown.ts'
import type { CollectionInfo, CollectionItems, Json } from '../../api.ts'
import { useInspector } from '../inspector.ts'
import { createFilter } from '../logic/filter.ts'
import {
  cellText,
  columnKind,
  columnsOf,
  kindOf,
  readTyped,
  type Kind,
  type Row,
  type Typed,
} from '../logic/items.ts'
import { call } from '../logic/server.ts'
import { Action, FilterField, Page, PositionLink } from '../parts/controls.tsx'
import { Form } from '../parts/fields.tsx'

/** The items of each collection as a table. */
export function CollectionsView() {
  const { server } = useInspector()
  const [collections, setCollections] = useState<readonly CollectionInfo[]>()
  const [name, setName] = useState<string>()
  useEffect(() => {
    call('GET /collections').then(
      (answer) => setCollections(answer.collections),
      () => {},
    )
  }, [server.requests, server.routes, server.known])
  const shown = collections?.find((one) => one.name === name) ?? collections?.[0]
  return (
    <Page title="Collections" tools={<FilterField label="Filter items" />}>
      {collections?.length === 0 && <p class="empty">No route has a collection.</p>}
      <nav class="row wide" aria-label="Collections">
        {collections?.map((one) => (
          <button
            type="button"
            class="tab line"
            key={one.name}
            aria-current={one === shown ? 'true' : undefined}
            onClick={() => setName(one.name)}
          >
            {one.name} <span class="chip">{one.items}</span>
          </button>
        ))}
      </nav>
      {shown && <Items key={shown.name} of={shown} />}
    </Page>
  )
}

function Items({ of }: { of: CollectionInfo }) {
  const { server, place, say, run, changed } = useInspector()
  const [items, setItems] = useState<CollectionItems>()
  const [sort, setSort] = useState<SortKey>()
  const params = { collection: of.name }
  const load = () => run(call('GET /collections/{collection}', { params }), setItems)
  useEffect(() => void load(), [server.requests, server.routes, server.known])
  const change = (work: Promise<unknown>, done: string) =>
    void run(work, () => {
      say(done)
      void load()
    })
  if (!items) return null

  const { id: idKey, created, updated, deleted } = items
  const rows = items.shown as readonly Row[]
  const all = [...rows, ...deleted]
  const columns = columnsOf(all, idKey)
  const kinds = new Map(columns.map((key) => [key, columnKind(all, key)]))
  const fits = createFilter(place.filter)
  const found = rows.filter((row) => fits(JSON.stringify(row)))
  const sorted = findItems(found, { sort: sort && [sort] })
  const idOf = (row: Row) => cellText(row[idKey])
  const paramsOf = (row: Row) => ({ ...params, item: idOf(row) })
  const put = (row: Row, item: Row) =>
    change(
      call('PUT /collections/{collection}/{item}', { params: paramsOf(row), body: { item } }),
      `${of.name} ${idOf(row)} was changed`,
    )
  /** Ascending, then descending, then as in the list. */
  const sortBy = (field: string) => {
    const isSorted = sort?.field === field
    setSort(isSorted && sort.isDescending ? undefined : { field, isDescending: isSorted })
  }
  const markOf = (row: Row) =>
    created.includes(idOf(row)) ? 'new' : updated.includes(idOf(row)) ? 'changed' : undefined

  return (
    <section class="stack tight" aria-label={of.name}>
      <p class="row wide">
        <span class="mono">{of.path}</span>
        <PositionLink position={of} />
        <span class="muted">
          {plural(items.items, 'item')}
          {items.items > rows.length && `, ${rows.length} shown`}
        </span>
        {items.changes > 0 && (
          <>
            <span class="chip tone-bad">{plural(items.changes, 'change')}</span>
            {deleted.length > 0 && <span class="chip tone-bad">{`${deleted.length} deleted`}</span>}
            <Action
              icon="again"
              onClick={() =>
                change(call('DELETE /collections/{collection}', { params }), `${of.name} was reset`)
              }
            >
              Reset
            </Action>
            <Action
              icon="edit"
              onClick={() => void changed(call('POST /save', { body: { collection: of.name } }))}
            >
              Save to the file
            </Action>
          </>
        )}
      </p>
      <div class="scroll card" tabIndex={0} role="region" aria-label={`Items of ${of.name}`}>
        <table class="items">
          <thead>
            <tr>
              {columns.map((key) => (
                <th
                  key={key}
                  scope="col"
                  aria-sort={sort?.field === key ? (sort.isDescending ? 'descending' : 'ascending') : 'none'}
                >
                  <button type="button" onClick={() => sortBy(key)}>
                    {key}
                  </button>{' '}
                  <span class="muted">{kinds.get(key)}</span>
                </th>
              ))}
              <th scope="col">
                <span class="visually-hidden">Changes</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {sorted.map((row) => (
              <tr key={idOf(row)} class={markOf(row) && 'differs'}>
                {columns.map((key) => (
                  <td key={key}>
                    {key === idKey ? (
                      <span class="mono">{cellText(row[key])}</span>
                    ) : (
                      <Cell
                        name={`${key} of ${idOf(row)}`}
                        value={row[key]}
                        column={kinds.get(key)}
                        onSave={(value) => put(row, { ...row, [key]: value })}
                      />
                    )}
                  </td>
                ))}
                <td>
                  <div class="line">
                    {markOf(row) && <span class="chip tone-bad">{markOf(row)}</span>}
                    <Action
                      icon="clear"
                      isSmall
                      onClick={() =>
                        change(
                          call('DELETE /collections/{collection}/{item}', { params: paramsOf(row) }),
                          `${of.name} ${idOf(row)} was deleted`,
                        )
                      }
                    >
                      {`Delete ${idOf(row)}`}
                    </Action>
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <NewItem idKey={idKey} idKind={kinds.get(idKey)} onAdd={(id, item) => put({ [idKey]: id }, item)} />
    </section>
  )
}

interface CellProps {
  name: string
  value: Json | undefined
  /** The kind of its column. */
  column: Kind | undefined
  onSave: (value: Json) => void
}

/** A field that looks like text until it is edited. Enter or leaving it saves, Escape does not; another kind is asked for. */
function Cell({ name, value, column, onSave }: CellProps) {
  const [asked, setAsked] = useState<Typed>()
  const text = cellText(value, column)
  const kind = kindOf(value)
  const isOther = kind !== undefined && kind !== column
  const leave = (typed: string) => {
    if (typed === text) return setAsked(undefined)
    const read = readTyped(typed, column, value)
    if (read.asks) return setAsked(read)
    setAsked(undefined)
    onSave(read.value)
  }
  return (
    <>
      <input
        class={isOther ? 'cell mono tone-bad' : 'cell mono'}
        aria-label={isOther ? `${name}, a ${kind}` : name}
        aria-invalid={asked ? 'true' : undefined}
        key={`${text} ${kind}`}
        defaultValue={text}
        size={Math.min(Math.max(text.length, 4), 40)}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Escape') currentTarget.value = text
          if (key === 'Escape' || key === 'Enter') currentTarget.blur()
        }}
        onBlur={({ currentTarget }) => leave(currentTarget.value)}
      />
      {asked && (
        <div class="line" role="alert">
          {`Not saved: the other values are of the kind ${column ?? kind}.`}
          <Action
            onClick={() => {
              setAsked(undefined)
              onSave(asked.value)
            }}
          >
            {`Save as ${asked.asks}`}
          </Action>
        </div>
      )}
    </>
  )
}

interface NewItemProps {
  idKey: string
  idKind: Kind | undefined
  onAdd: (id: string, item: Row) => void
}

function NewItem({ idKey, idKind, onAdd }: NewItemProps) {
  const { say } = useInspector()
  const add = (form: HTMLFormElement) => {
    const typed = new FormData(form)
    const [id, text] = ['id', 'item'].map((name) => String(typed.get(name)).trim())
    try {
      const item = JSON.parse(text || '{}') as Row
      onAdd(id!, { ...item, [idKey]: readTyped(id!, idKind, undefined).value })
      form.reset()
    } catch (error) {
      say(`The item is not JSON: ${reasonOf(error)}`)
    }
  }
  return (
    <Form class="row wide" onSubmit={add}>
      <input
        name="id"
        class="mono"
        required
        placeholder={idKey}
        aria-label={`${idKey} of the new item`}
        size={8}
      />
      <input
        name="item"
        class="mono grow"
        placeholder='{ "state": "open" }'
        aria-label="The new item, as JSON"
      />
      <button type="submit">Add</button>
    </Form>
  )
}
