import { isRecord, valueAt, type KeyPath } from '../values/values.ts'
import type { PatchEntry } from '../values/patch.ts'
import { failWith } from './http-drafts.ts'
import { type ValuePosition, writtenPath } from './positions.ts'
import { type Answered, type Draft, draft } from './sad-path.ts'
import { changeAt, patchAt } from './value-drafts.ts'

type ListPosition = ValuePosition & { value: readonly unknown[] }

export function* listDrafts(
  answered: Answered,
  root: readonly string[],
  value: unknown,
  positions: readonly ValuePosition[],
): Generator<Draft> {
  for (const position of positions) {
    if (!Array.isArray(position.value)) continue
    const list = position as ListPosition
    const signs = signsOf(value, list.path)
    if (signs.length > 0 && list.isFirst) yield* pageDrafts(answered, root, list, signs)
    const { name, value: items } = list
    const title = list.written || 'the list'
    if (items.length > 0 && signs.length === 0)
      yield draft('list', `empty ${name}`.trim(), `${title} is empty`, patchAll(root, list, []))
    if (items.length > 1)
      yield draft(
        'list',
        `one ${name}`.trim(),
        `${title} has one item`,
        patchAll(root, list, items.slice(0, 1)),
      )
  }
}

/** A patch of the list, or the whole body where it is the list. */
function patchAll(root: readonly string[], list: ListPosition, value: unknown): Draft['change'] {
  return root.length + list.path.length === 0 ? { body: value } : patchAt(root, list, value)
}

/** A key that says whether there is another page. */
interface Sign {
  path: KeyPath
  value: unknown
  means: 'more' | 'next' | 'total' | 'pages'
}

const meanings: readonly [Sign['means'], RegExp, (value: unknown) => boolean][] = [
  ['more', /^(?:has_?)?(?:more|next)(?:_?page)?$/i, (value) => typeof value === 'boolean'],
  [
    'next',
    /^next(?:_?(?:cursor|page|url|link|token|page_?token|offset))?$/i,
    (value) => value === null || typeof value === 'string' || typeof value === 'number',
  ],
  [
    'pages',
    /^(?:total_?pages|page_?count|last_?page|num_?pages|pages)$/i,
    (value) => typeof value === 'number',
  ],
  [
    'total',
    /^(?:total|count)(?:_?(?:count|items|results|elements|records))?$/i,
    (value) => typeof value === 'number',
  ],
]

/** The values next to the list, and in objects next to it. Empty if none says whether there is another page. */
function signsOf(root: unknown, path: KeyPath): Sign[] {
  if (path.length === 0 || typeof path.at(-1) === 'number') return []
  const above = path.slice(0, -1)
  const around = valueAt(root, above)
  const signs: Sign[] = []
  const look = (object: unknown, at: KeyPath) => {
    for (const [key, value] of isRecord(object) ? Object.entries(object) : []) {
      if (isRecord(value) && at === above) look(value, [...at, key])
      const [means] = meanings.find(([, name, fits]) => name.test(key) && fits(value)) ?? []
      if (means) signs.push({ path: [...at, key], value, means })
    }
  }
  look(around, above)
  return signs.some(({ means }) => means !== 'total') ? signs : []
}

function* pageDrafts(
  answered: Answered,
  root: readonly string[],
  list: ListPosition,
  signs: readonly Sign[],
): Generator<Draft> {
  const { name, written, value: items } = list
  const hasMore = signs.some(
    ({ means, value }) =>
      (means === 'more' && value === true) || (means === 'next' && value !== null && value !== ''),
  )
  const set = (to: Partial<Record<Sign['means'], unknown>>): PatchEntry[] =>
    signs
      .filter(({ means }) => to[means] !== undefined)
      .map(({ means, path }) => changeAt(root, path, writtenPath(path), to[means]))
  const patch = (kept: readonly unknown[], to: Partial<Record<Sign['means'], unknown>>) => ({
    patch: [changeAt(root, list.path, written, kept), ...set(to)],
  })
  const page = (what: string, title: string, change: Draft['change']) =>
    draft('page', `${what} ${name}`, `${written} ${title}`, change)
  const end = { more: false, next: null }
  if (hasMore || items.length > 0)
    yield page('empty', 'is empty, and has no next page', patch([], { ...end, total: 0, pages: 0 }))
  if (hasMore && items.length > 0)
    yield page('full', 'has exactly one full page', patch(items, { ...end, total: items.length, pages: 1 }))
  if (signs.some(({ means }) => means === 'more' || means === 'pages'))
    yield page(
      'endless',
      'never ends: there is always a next page',
      patch(items, { more: true, pages: 1_000_000 }),
    )
  if (items.length > 1) {
    const repeated = [...items.slice(0, -1), items[0]]
    yield page('repeated', 'has its first item again, since the list has changed', patch(repeated, {}))
    yield page(
      'lost',
      'has lost an item, since the list has changed',
      patch(items.toSpliced(items.length >> 1, 1), {}),
    )
  }
  const { isLaterPage, itemBefore } = answered
  if (!hasMore && !isLaterPage) return
  yield page('fails', 'has a next page that fails', isLaterPage ? failWith(answered, 500) : undefined)
  const moved = [itemBefore, ...(hasMore ? items.slice(0, -1) : items)]
  yield {
    ...page(
      'repeated-next',
      'has a next page that begins with the last item again, since the list has grown',
      isLaterPage && itemBefore !== undefined ? patch(moved, {}) : undefined,
    ),
    lastItem: items.at(-1),
  }
  yield page(
    'lost-next',
    'has a next page without its first item, since the list has shrunk',
    isLaterPage ? patch(items.slice(1), {}) : undefined,
  )
}
