import { useEffect, useRef, useState } from 'preact/hooks'
import { plural } from '../../../core/values/describe-value.ts'
import { findItems, type SortKey } from '../../../core/collection/find-items.ts'
import { exactJson, toJson, writtenNumber } from '../../../core/values/exact-number.ts'
import { isRecord } from '../../../core/values/values.ts'
import type { CollectionInfo, CollectionItems } from '../../api/api.ts'
import { useInspector } from '../inspector.ts'
import { createFilter } from '../logic/filter.ts'
import {
  cellText,
  columnsOf,
  valueKindOf,
  readCell,
  strangeKind,
  type ValueChoice,
  type Column,
  type Question,
  type ItemRow,
} from '../logic/items.ts'
import { call } from '../logic/server.ts'
import { KindQuestion, Cell, StrangeKind } from '../parts/cell.tsx'
import { Action, Button, FilterField, IconAction, Page, PositionLink } from '../parts/controls.tsx'
import { Form } from '../parts/fields.tsx'

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
    <Page title="Collections" tools={<FilterField label="Filter items" example="open -paid" />}>
      {collections?.length === 0 && <p class="empty">No route has a collection.</p>}
      <nav class="row wide" aria-label="Collections">
        {collections?.map((one) => (
          <Button
            class="tab line"
            key={one.name}
            aria-current={one === shown ? 'true' : undefined}
            onClick={() => setName(one.name)}
          >
            {one.name} <span class="chip">{one.items}</span>
          </Button>
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
  const rows = items.shown as readonly ItemRow[]
  const columns = columnsOf([...rows, ...deleted], idKey)
  const fits = createFilter(place.filter)
  const found = rows.filter((row) => fits(toJson(row)!))
  const sorted = findItems(found, { sort: sort && [sort] })
  const idOf = ({ [idKey]: id }: ItemRow) => String(writtenNumber(id) ?? id)
  const paramsOf = (row: ItemRow) => ({ ...params, item: idOf(row) })
  const put = (row: ItemRow, item: ItemRow, done = 'changed') =>
    change(
      call('PUT /collections/{collection}/{item}', { params: paramsOf(row), body: { item } }),
      `${of.name} ${idOf(row)} was ${done}`,
    )
  /** Ascending, then descending, then as in the list. */
  const sortBy = (field: string) => {
    const isSorted = sort?.field === field
    setSort(isSorted && sort.isDescending ? undefined : { field, isDescending: isSorted })
  }
  const markOf = (row: ItemRow) =>
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
              label="Reset"
              onClick={() =>
                change(call('DELETE /collections/{collection}', { params }), `${of.name} was reset`)
              }
            />
            <Action
              icon="edit"
              label="Save to the file"
              onClick={() => void changed(call('POST /save', { body: { collection: of.name } }))}
            />
          </>
        )}
      </p>
      <div class="scroll card" tabIndex={0} role="region" aria-label={`Items of ${of.name}`}>
        <table class="items">
          <thead>
            <tr>
              {columns.map(({ key, kind }) => (
                <th
                  key={key}
                  scope="col"
                  aria-sort={sort?.field === key ? (sort.isDescending ? 'descending' : 'ascending') : 'none'}
                >
                  <Button onClick={() => sortBy(key)}>{key}</Button>{' '}
                  {kind && <span class="chip tone-none">{kind}</span>}
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
                {columns.map((column) => (
                  <td key={column.key}>
                    {column.key === idKey ? (
                      <span class="line">
                        <span class="mono">{idOf(row)}</span>
                        <StrangeKind kind={strangeKind(row[idKey], column)} />
                      </span>
                    ) : (
                      <Cell
                        key={`${valueKindOf(row[column.key])} ${cellText(row[column.key])}`}
                        name={`${column.key} of ${idOf(row)}`}
                        value={row[column.key]}
                        column={column}
                        // JSON has no field that is undefined.
                        onSave={({ value }) => put(row, { ...row, [column.key]: value! })}
                      />
                    )}
                  </td>
                ))}
                <td>
                  <div class="line">
                    {markOf(row) && <span class="chip tone-bad">{markOf(row)}</span>}
                    <IconAction
                      icon="clear"
                      label={`Delete ${idOf(row)}`}
                      onClick={() =>
                        change(
                          call('DELETE /collections/{collection}/{item}', { params: paramsOf(row) }),
                          `${of.name} ${idOf(row)} was deleted`,
                        )
                      }
                    />
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <NewItem ids={columns[0]!} onAdd={(item) => put(item, item, 'added')} />
    </section>
  )
}

function NewItem({ ids, onAdd }: { ids: Column; onAdd: (item: ItemRow) => void }) {
  const { say } = useInspector()
  const [asked, ask] = useState<Question & { item: ItemRow }>()
  const form = useRef<HTMLFormElement | null>(null)
  const add = ({ value }: ValueChoice, item: ItemRow) => {
    onAdd({ ...item, [ids.key]: value! })
    form.current?.reset()
    ask(undefined)
  }
  const submit = (submitted: HTMLFormElement) => {
    form.current = submitted
    const typed = new FormData(submitted)
    const [id = '', text] = ['id', 'item'].map((name) => String(typed.get(name)).trim())
    const item = exactJson(text || '{}')?.value
    if (!isRecord(item)) return say('The item is no JSON object.')
    const read = readCell(id, undefined, ids)
    if ('choices' in read) ask({ ...read, item: item as ItemRow })
    else add(read, item as ItemRow)
  }
  return (
    <Form class="row wide" onSubmit={submit}>
      <input
        name="id"
        class="mono"
        required
        placeholder={ids.key}
        aria-label={`${ids.key} of the new item`}
        size={8}
      />
      <input
        name="item"
        class="mono grow"
        placeholder='{ "state": "open" }'
        aria-label="The new item, as JSON"
      />
      <button type="submit">Add</button>
      {asked && (
        <KindQuestion
          {...asked}
          onChoose={(choice) => add(choice, asked.item)}
          onCancel={() => ask(undefined)}
        />
      )}
    </Form>
  )
}
