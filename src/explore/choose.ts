import { groupBy } from '../core/values/collections.ts'
import { asJson } from '../core/values/json-value.ts'
import { compareTexts, isRecord } from '../core/values/values.ts'
import type { SadPath } from '../inspector/api/api.ts'

/* Which sad paths are tried, and which of them first. */

export interface SadPathChoice {
  /** Only sad paths whose id or kind has one of these texts. */
  only?: readonly string[]
  /** Only these. */
  ids?: ReadonlySet<string>
  /** Maximum number of sad paths. Default 40. */
  max?: number
}

/** Kinds by how much they tell. */
const telling = 'status error null list page missing body slow connection empty long'.split(' ')
/** Kinds that come a round later. */
const isLate = (kind: string) => telling.indexOf(kind) > telling.indexOf('slow')
/** Fields that are null find most crashes, so several of them come before the next kind. */
const inOneRound = (kind: string) => (kind === 'null' ? 3 : 1)

/**
 * The most telling of each request first, then the second, and so on, so that a limit leaves some of all. What goes wrong in fields
 * that the page never shows comes last.
 */
export function choose(
  all: readonly SadPath[],
  { only, ids, max = 40 }: SadPathChoice,
  hidden: ReadonlySet<string> = new Set(),
): { sadPaths: SadPath[]; more: number } {
  const fits = ({ id, kind }: SadPath) =>
    (!ids || ids.has(id)) && (!only || only.some((text) => kind === text || id.includes(text)))
  const unique = [...new Map(all.filter(fits).map((path) => [path.id, path])).values()]
  const isHidden = ({ id }: SadPath) => hidden.has(id)
  const ordered = [unique.filter((path) => !isHidden(path)), unique.filter(isHidden)].flatMap(inTurns)
  return { sadPaths: ordered.slice(0, max), more: Math.max(0, ordered.length - max) }
}

function inTurns(paths: readonly SadPath[]): SadPath[] {
  // Requests are sent in another order each time.
  const byRequest = [...groupBy(paths, ({ request }) => request)].sort(([a], [b]) => compareTexts(a, b))
  const lists = byRequest.map(([, list]) => mostTellingFirst(list))
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, round) => lists.flatMap((list) => list[round] ?? [])).flat()
}

function mostTellingFirst(list: readonly SadPath[]): SadPath[] {
  const seen = new Map<string, number>()
  const roundOf = ({ kind }: SadPath) => {
    const count = seen.get(kind) ?? 0
    seen.set(kind, count + 1)
    return Math.floor(count / inOneRound(kind)) + Number(isLate(kind))
  }
  return list
    .map((path) => ({ path, round: roundOf(path), rank: telling.indexOf(path.kind) }))
    .toSorted((a, b) => a.round - b.round || a.rank - b.rank)
    .map(({ path }) => path)
}

/** Whether it is about a field whose values are nowhere in the texts of the page. */
export function isHiddenField({ id, kind }: SadPath, answer: string, texts: readonly string[]): boolean {
  if (!/^(?:null|missing|empty|long)$/.test(kind)) return false
  const name = id.slice(id.indexOf(` #${kind} `) + kind.length + 3).replace(/ (?:middle|last)$/, '')
  const body = asJson(answer)?.value
  const keys = name.match(/\[\]|\["(?:[^"\\]|\\.)*"\]|[\w$-]+/g) ?? []
  const ofGraphql = isRecord(body) ? valuesAt(body['data'], keys) : []
  const values = [...valuesAt(body, keys), ...ofGraphql].flatMap(leavesOf)
  return values.length > 0 && !values.some((value) => isWritten(value, texts))
}

function valuesAt(value: unknown, [key, ...rest]: readonly string[]): unknown[] {
  if (key === undefined) return value === undefined ? [] : [value]
  if (key === '[]') return Array.isArray(value) ? value.flatMap((item) => valuesAt(item, rest)) : []
  const name = key.startsWith('[') ? (JSON.parse(key.slice(1, -1)) as string) : key
  return isRecord(value) ? valuesAt(value[name], rest) : []
}

function leavesOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value]
}

/** Whether a text has the value. What a page does with `true` can't be seen. */
function isWritten(value: unknown, texts: readonly string[]): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return true
  const text = String(value)
  return texts.some((one) =>
    text.length > 2 ? one.includes(text) : one.split(/[^\p{L}\p{N}]+/u).includes(text),
  )
}
