import { OperationTypeNode } from 'graphql/language/ast.js'
import { add, type Condition, type Conditions } from '../fields.ts'
import type { PageAnswer } from './find-pages.ts'
import { isRecord } from '../../core/values/values.ts'
import { plain } from '../from-request.ts'

const numbers = /^(?:p|page|(?:page|current)(?:no|num|number|page|index))$/
const offsets = /^(?:page)?(?:offset|skip)$/
/** Names that may mean anything else, unless a size stands beside them. */
const starts = /^(?:start|startindex|from)$/
const cursors =
  /^(?:page|next|continuation|scroll)?(?:cursor|token|after|before|marker)$|^(?:starting|start)after$|^endingbefore$|^(?:since|max|scroll)id$/
const sizes = /^(?:perpage|pagesize|limit|pagelimit|size|count|take|first|last|end)$/

interface Start {
  source: Condition['source']
  key: string
  /** The value that asks for the first page, as no value does. */
  first: string | number
}

/** Adds what holds the default route of each page to it: where a list was not recorded as a whole, no page stands for another. */
export function keepPages(answered: readonly PageAnswer[]): PageAnswer[] {
  const conditionsOf = ({ address, fields, answer }: PageAnswer): Conditions =>
    new Map([...address, ...(isList(answer.answer.body) ? fields : [])])
  const found = findStarts(answered, conditionsOf)
  if (found.size === 0)
    for (const [id, start] of findStarts(answered.slice(0, maxHints), hintsOf)) found.set(id, start)
  return found.size === 0 ? [...answered] : answered.map((one) => keepPage(one, conditionsOf(one), found))
}

function findStarts(answered: readonly PageAnswer[], conditionsOf: (one: PageAnswer) => Conditions) {
  const found = new Map<string, Start>()
  for (const conditions of answered.map(conditionsOf))
    for (const [id, condition] of conditions) {
      const first = firstOf(condition, conditions)
      const isZero = String(condition.value) === '0'
      if (first !== undefined && (isZero || !found.has(id))) found.set(id, { ...condition, first })
    }
  return found
}

function keepPage(one: PageAnswer, conditions: Conditions, starts: ReadonlyMap<string, Start>): PageAnswer {
  const address = new Map(one.address)
  const fields = new Map(one.fields)
  const keep = (id: string, condition: Condition) => {
    address.set(id, condition)
    fields.delete(id)
  }
  let isFirstPage = true
  for (const [id, { source, key, first }] of starts) {
    const { value } = conditions.get(id) ?? { value: { $exists: false } }
    const isFirst =
      isRecord(value) || [null, '', String(first)].includes(value === null ? null : String(value))
    isFirstPage &&= isFirst
    keep(id, { source, key, value, kept: isFirst ? { $in: [null, first] } : value })
  }
  if (!isFirstPage)
    for (const [id, condition] of conditions)
      if (namesOf(condition).some((name) => sizes.test(name)))
        keep(id, { ...condition, kept: condition.value })
  return { ...one, address, fields }
}

/** Answers of an endpoint that are searched: its lists are alike. */
const maxHints = 20
const besideList = /total|count|limit|size|more|next|last|pages|perpage/

/** Conditions of other pages, if only the first was asked for, by its answer and the variables of its document. */
function hintsOf({ exchange, answer }: PageAnswer): Conditions {
  const { request, graphql, method, responseHeaders } = exchange
  const hints: Conditions = new Map()
  const hint = (source: Condition['source'], key: string, value: unknown) =>
    add(hints, { source, key, value })
  const operation = method === 'POST' ? graphql?.operation : undefined
  if (operation?.operation === OperationTypeNode.QUERY)
    for (const { variable, type } of operation.variableDefinitions ?? [])
      if (!/date|time/i.test(JSON.stringify(type)))
        hint(
          request.graphql ? 'variables' : 'body',
          `${request.graphql ? '' : 'variables.'}${variable.name.value}`,
          1,
        )
  const { body } = answer.answer
  if (graphql || method !== 'GET' || !isList(body)) return hints
  const keys = Object.entries(isRecord(body) ? body : {})
  if (keys.some(([key]) => besideList.test(plain(key))))
    for (const [key, value] of keys) {
      const [, name = ''] = /^next_?(\w+)$/i.exec(key) ?? []
      if (typeof value === 'number') hint('query', key, value)
      else if (typeof value === 'string' && name !== '')
        hint('query', name.charAt(0).toLowerCase() + name.slice(1), value)
    }
  const last = request.path.split('/').findLast((segment) => segment !== '') ?? ''
  const links = responseHeaders.flatMap(([name, value]) => (name.toLowerCase() === 'link' ? value : []))
  const parts = [...links, JSON.stringify(body)].join(' ').split('?')
  for (const [index, part] of parts.slice(1).entries())
    if (parts[index]!.endsWith(last) || parts[index]!.endsWith(`${last}/`))
      for (const [key, value] of new URLSearchParams(/^[^\s"<>#\\]{0,1000}/.exec(part)![0]))
        hint('query', key, value)
  return hints
}

function firstOf(condition: Condition, others: Conditions): string | number | undefined {
  const { source, value } = condition
  if (source === 'params' || source === 'operationName') return undefined
  const is = (pattern: RegExp) => namesOf(condition).some((name) => pattern.test(name))
  const hasSize = () => [...others.values()].some((one) => namesOf(one).some((name) => sizes.test(name)))
  const isWhole = /^\d{1,9}$/.test(String(value))
  const ofKind = (first: number) => (typeof value === 'string' ? String(first) : first)
  if (isWhole && is(numbers)) return ofKind(Number(value) === 0 ? 0 : 1)
  if (isWhole && (is(offsets) || (is(starts) && hasSize()))) return ofKind(0)
  const isDate = /^\d{4}-\d\d/.test(String(value))
  return (typeof value === 'string' || isWhole) && is(cursors) && !isDate ? '' : undefined
}

/** `page[number]` is `number` and `pagenumber`. */
function namesOf({ key }: Condition): string[] {
  const parts = key.split(/[.[\]]+/).filter(Boolean)
  return [parts.at(-1) ?? '', key].map(plain)
}

/** Search engines wrap their list twice: `hits.hits`. */
function isList(body: unknown, levels = 3): boolean {
  if (Array.isArray(body) || levels === 0 || !isRecord(body)) return Array.isArray(body)
  return Object.values(body).some((inner) => isList(inner, levels - 1))
}
