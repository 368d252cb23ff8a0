import type { ParsedRequest } from '../request/parsed-request.ts'
import { groupBy, oncePerObject } from '../values/collections.ts'
import { toJson } from '../values/exact-number.ts'
import { ownValue } from '../values/values.ts'
import { cursorAt, pageCount, styles, type PageStyle, type Paging, type PagePart } from './page-styles.ts'

/* What is sent around the items of a page, as JSON. */

export interface SentPage {
  part: PagePart
  paging: Paging
  request?: ParsedRequest
  /** A connection of which an operation selects the keys: it has all of them, with `__typename` if no schema knows it. */
  selected?: 'with-schema' | 'without-schema'
}

const relations = ['first', 'prev', 'next', 'last'] as const

/** Standard names of the keys that a style can send; those that its `envelope` does not have only with a name. */
export function envelopeKeys(style: PageStyle): string[] {
  const { envelope, parameters } = styles[style]
  if (parameters.length === 0) return [...envelope, 'nodes']
  const others = relations.flatMap((relation) => [`${relation}_${parameters[0]}`, `${relation}_url`])
  return [...new Set([...envelope, 'total', 'total_pages', 'is_first', 'is_last', ...others])]
}

export function envelopeText(sent: SentPage): string {
  const { paging, selected } = sent
  const { envelope } = styles[paging.style]
  const { connection } = typesIn(sent)
  const members = envelopeKeys(paging.style).flatMap((key): Member[] => {
    const isUsual = selected !== undefined || envelope.includes(key)
    const path = paging.envelope[key] ?? (isUsual && [key])
    return path ? [[path, memberText(key, sent)]] : []
  })
  return objectText([...(connection ? [typename(connection)] : []), ...members])
}

type Member = readonly [path: readonly string[], text: string]

/** Members with the same first key are in one object. */
function objectText(members: readonly Member[]): string {
  const texts = [...groupBy(members, ([[key]]) => key!)].map(([key, inside]) => {
    const [[path, text]] = inside as [Member]
    const below = inside.map(([[, ...rest], text]) => [rest, text] as const)
    return `${JSON.stringify(key)}:${path.length === 1 ? text : objectText(below)}`
  })
  return `{${texts.join(',')}}`
}

function memberText(key: string, sent: SentPage): string {
  const { part, paging } = sent
  if (key === 'data' || key === 'nodes') return itemsText(part, paging)
  if (key !== 'edges') return JSON.stringify(valueOf(key, sent))
  const { edge } = typesIn(sent)
  const edges = itemTexts(part, paging).map((node, index) => {
    const cursor = JSON.stringify(cursorAt(part.start + index, paging))
    return objectText([...(edge ? [typename(edge)] : []), [['cursor'], cursor], [['node'], node]])
  })
  return `[${edges.join(',')}]`
}

export function itemsText(part: PagePart, paging: Paging): string {
  return `[${itemTexts(part, paging).join(',')}]`
}

function itemTexts({ start, size }: PagePart, { items }: Paging): string[] {
  return items.slice(start, start + size).map(jsonOf)
}

function valueOf(key: string, sent: SentPage): unknown {
  const { part, paging, selected } = sent
  const { start, size } = part
  const total = paging.items.length
  const around = startsAround(part, paging)
  switch (key) {
    case 'page':
    case 'offset':
      return styles[paging.style].askFor(part, paging)
    case 'per_page':
    case 'limit':
      return size
    case 'total':
    case 'totalCount':
      return total
    case 'total_pages':
      return pageCount(total, size)
    case 'has_more':
      return around.next !== undefined
    case 'is_first':
      return start === 0
    case 'is_last':
      return around.next === undefined
    case 'pageInfo':
      return {
        ...(selected === 'without-schema' && { __typename: 'PageInfo' }),
        hasNextPage: start + size < total,
        hasPreviousPage: start > 0,
        startCursor: size > 0 ? cursorAt(start, paging) : null,
        endCursor: size > 0 ? cursorAt(start + size - 1, paging) : null,
      }
  }
  const [relation, what] = key.split('_') as [keyof typeof around, string]
  const asked = around[relation]
  if (asked === undefined) return null
  return what === 'url'
    ? urlOf(asked, sent).href
    : styles[paging.style].askFor({ start: asked, size }, paging)
}

/** Starts of the parts around one; `undefined` for a part that the list does not have. */
function startsAround({ start, size }: PagePart, { items }: Paging) {
  const last = (pageCount(items.length, size) - 1) * size
  return {
    first: 0,
    prev: start > 0 ? Math.max(0, Math.min(start - size, last)) : undefined,
    next: start + size < items.length ? start + size : undefined,
    last,
  }
}

function urlOf(start: number, { part, paging, request }: SentPage): URL {
  const { parameters, askFor } = styles[paging.style]
  const name = paging.parameters[parameters[0]!] ?? parameters[0]!
  const { url } = request!
  const value = askFor({ start, size: part.size }, paging)
  if (value === null) url.searchParams.delete(name)
  else url.searchParams.set(name, String(value))
  return url
}

/** @see https://www.rfc-editor.org/rfc/rfc8288 */
export function linkHeader(sent: SentPage): string {
  const around = startsAround(sent.part, sent.paging)
  const links = relations.flatMap((relation) => {
    const start = around[relation]
    if (start === undefined) return []
    const { origin, href } = urlOf(start, sent)
    const isOwn = sent.request!.raw.url.startsWith('/')
    return `<${isOwn ? href.slice(origin.length) : href}>; rel="${relation}"`
  })
  return links.join(', ')
}

/** The type of a connection of these items, as servers usually name it. Empty if the items do not have one type. */
export const connectionType = oncePerObject((items: readonly unknown[]): string => {
  const [name, ...others] = new Set(items.map((item) => ownValue(item, '__typename')))
  return typeof name === 'string' && others.length === 0 ? `${name}Connection` : ''
})

function typesIn({ paging, selected }: SentPage): { connection?: string; edge?: string } {
  const connection = selected === 'without-schema' && (paging.typeName ?? connectionType(paging.items))
  return connection ? { connection, edge: `${connection.replace(/Connection$/, '')}Edge` } : {}
}

function typename(name: string): Member {
  return [['__typename'], JSON.stringify(name)]
}

export function jsonOf(value: unknown): string {
  const text = toJson(value)
  if (text === undefined) throw new TypeError(`a ${typeof value} is not a JSON value`)
  return text
}
