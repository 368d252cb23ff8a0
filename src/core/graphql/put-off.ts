import type {
  DirectiveNode,
  FieldNode,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
} from 'graphql'
import { addTo } from '../values/collections.ts'
import { isRecord, ownValue, setOwn, type KeyPath } from '../values/values.ts'
import { type Budget, weightOf } from './budget.ts'
import { mayBeOfType } from './fixture-data.ts'
import type { FormattedError } from './formatted-error.ts'
import type { GraphQLResult } from './result.ts'
import {
  argumentsOf,
  everySelection,
  forEachField,
  type Fragments,
  responseKey,
  subselections,
  type Variables,
  type SelectionSets,
} from './selections.ts'

/* `@defer` and `@stream`: the data of an answer is cut into an initial result and parts that come later. */

/** A part that the client is told to wait for: a deferred fragment at one object, or the rest of a streamed list. */
export interface DeferredPart {
  id: number
  path: KeyPath
  label: string | undefined
  /** The index of the first list item that was put off. */
  start: number | undefined
}

/** Data of a part: fields of the object at `path`, or items of the list at `path` from `start` on. */
export interface PartData {
  part: DeferredPart
  path: KeyPath
  data?: Record<string, unknown>
  items?: unknown[]
  start?: number
  errors: FormattedError[]
}

export interface Delivery {
  /** Milliseconds after the previous delivery. */
  delay: number
  pending: DeferredPart[]
  sent: PartData[]
  /** Parts that are complete. A part with errors has failed, and has no data. */
  completed: { part: DeferredPart; errors?: readonly FormattedError[] | undefined }[]
}

interface Cut {
  operation: OperationDefinitionNode
  fragments: Fragments
  /** Includes default values. */
  variables: Variables
  budget: Budget
  /** Whether a part leaves out what the client has: the fields of older formats repeat them. */
  isOnce: boolean
  /** Milliseconds before the part, or before each further item of a list. */
  delayOf: (part: DeferredPart) => number
  /** Why the part fails. */
  errorsOf: (part: DeferredPart) => readonly FormattedError[] | undefined
}

/** Response keys and indexes that the client has. */
type Known = Map<string | number, Known>

const unitsPerPart = 8

interface Waiting {
  part: DeferredPart
  due: number
  sets: SelectionSets
  value: object
  known: Known
  /** Index of the next item. */
  next: number
}

/**
 * The first delivery has the initial result. It is the only one if nothing was put off. Spends the budget for each field and
 * part.
 *
 * @param data the data of the whole answer, by response keys
 * @see https://github.com/graphql/graphql-spec/blob/main/rfcs/DeferStream.md
 */
export function putOff(
  { data, errors = [] }: GraphQLResult & { data: Record<string, unknown> },
  cut: Cut,
): Delivery[] {
  const { operation, fragments, variables, budget, isOnce, delayOf, errorsOf } = cut
  const errorsAt = new Map<string, FormattedError[]>()
  for (const error of errors) addTo(errorsAt, placeOf(error, data), error)
  let waiting: Waiting[] = []
  let parts = 0
  let now = 0
  let delivery: Delivery = { delay: 0, pending: [], sent: [], completed: [] }
  let current: PartData
  const path: (string | number)[] = []

  function wait(
    label: string | undefined,
    sets: SelectionSets,
    value: object,
    known: Known,
    start?: number,
  ): void {
    const part = { id: parts++, path: path.slice(), label, start }
    budget.spend('fields', unitsPerPart + path.length + weightOf(label))
    delivery.pending.push(part)
    waiting.push({ part, due: now + delayOf(part), sets, value, known, next: start ?? 0 })
  }

  /** The fields that the client does not have yet. */
  function takeFields(sets: SelectionSets, object: object, known: Known) {
    const taken: Record<string, unknown> = {}
    const fields = new Map<string, FieldNode[]>()
    const deferred: { label: string | undefined; set: SelectionSetNode }[] = []
    const context = { fragments, variables, mayBe: mayBeOfType(data, object) }
    const isPutOff = (
      selection: SelectionNode,
      { selectionSet: set }: { selectionSet: SelectionSetNode },
    ) => {
      const defer = directiveOf(selection, 'defer', variables)
      return defer !== undefined && deferred.push({ label: labelOf(defer), set }) > 0
    }
    let lookedAt = forEachField(sets, { ...context, isPutOff }, (node) => {
      addTo(fields, responseKey(node), node)
    })
    for (const { label, set } of deferred) {
      let isNews = false
      lookedAt += forEachField([set], context, (node) => {
        const key = responseKey(node)
        const isKnown = isOnce && !node.selectionSet && (fields.has(key) || known.has(key))
        if (!isKnown && ownValue(object, key) !== undefined) isNews = true
      })
      if (isNews) wait(label, [set], object, isOnce ? known : new Map<string, Known>())
    }
    budget.spend('fields', Math.ceil(lookedAt / 8))
    for (const [key, nodes] of fields) {
      const value = ownValue(object, key)
      if (value === undefined || budget.isSpent) continue
      path.push(key)
      const has = known.get(key)
      if (has) addInside(subselections(nodes), value, has)
      else setOwn(taken, key, takeValue(subselections(nodes), value, enter(known, key), nodes))
      path.pop()
    }
    return taken
  }

  /** Adds the fields that the client lacks in objects it already has. */
  function addInside(sets: SelectionSets, value: unknown, known: Known): void {
    if (Array.isArray(value))
      value.forEach((item, index) => {
        const has = known.get(index)
        path.push(index)
        if (has) addInside(sets, item, has)
        path.pop()
      })
    else if (isRecord(value) && sets.length > 0) sendFields(current.part, sets, value, known)
  }

  function takeValue(
    sets: SelectionSets,
    value: unknown,
    known: Known,
    nodes: readonly FieldNode[] = [],
  ): unknown {
    budget.spend('fields', 1)
    const found = errorsAt.size > 0 && errorsAt.get(path.join('.'))
    if (found && errorsAt.delete(path.join('.'))) current.errors.push(...found)
    if (isRecord(value) && sets.length > 0) return takeFields(sets, value, known)
    const stream = nodes[0] && directiveOf(nodes[0], 'stream', variables)
    if (!Array.isArray(value) || (sets.length === 0 && !stream)) return value
    const count = stream ? initialCountOf(stream, variables) : value.length
    if (stream && count < value.length) wait(labelOf(stream), sets, value, known, count)
    return takeItems(sets, value, known, 0, count)
  }

  function takeItems(
    sets: SelectionSets,
    list: unknown[],
    known: Known,
    start: number,
    end: number,
  ): unknown[] {
    const items: unknown[] = []
    for (let index = start; index < Math.min(end, list.length) && !budget.isSpent; index++) {
      path.push(index)
      items.push(takeValue(sets, list[index], enter(known, index)))
      path.pop()
    }
    return items
  }

  function sendFields(part: DeferredPart, sets: SelectionSets, object: object, known: Known): void {
    const outer = current
    current = { part, path: [...path], errors: [] }
    delivery.sent.push(current)
    current.data = takeFields(sets, object, known)
    current = outer
  }

  function deliver(one: Waiting): void {
    const { part, sets, value, known, next } = one
    const failed = errorsOf(part)
    path.splice(0, path.length, ...part.path)
    if (!failed && part.start !== undefined) {
      const list = value as unknown[]
      const each = delayOf(part)
      const end = each > 0 ? next + 1 : list.length
      current = { part, path: part.path, start: next, errors: [] }
      delivery.sent.push(current)
      current.items = takeItems(sets, list, known, next, end)
      if (end < list.length) waiting.push({ ...one, next: end, due: now + each })
      else delivery.completed.push({ part })
      return
    }
    if (!failed) sendFields(part, sets, value, known)
    delivery.completed.push({ part, errors: failed })
  }

  function dueNow(): Waiting[] {
    const batch = waiting.filter(({ due }) => due === now)
    if (batch.length > 0) waiting = waiting.filter(({ due }) => due !== now)
    return batch
  }

  const root: DeferredPart = { id: -1, path: [], label: undefined, start: undefined }
  current = { part: root, path: [], errors: errorsAt.get('') ?? [] }
  errorsAt.delete('')
  delivery.sent.push(current)
  const initial = current
  initial.data = takeFields([operation.selectionSet], data, new Map())
  const deliveries = [delivery]
  while (waiting.length > 0 && !budget.isSpent) {
    const due = waiting.reduce((least, one) => Math.min(least, one.due), Infinity)
    delivery = { delay: due - now, pending: [], sent: [], completed: [] }
    now = due
    // Those that it announces may be due at once, too.
    for (let batch = dueNow(); batch.length > 0 && !budget.isSpent; batch = dueNow()) batch.forEach(deliver)
    const isNews = ({ data, errors }: PartData) =>
      !isOnce || !data || Object.keys(data).length > 0 || errors.length > 0
    delivery.sent = delivery.sent.filter(isNews)
    deliveries.push(delivery)
  }
  // Errors of fields that are not selected.
  initial.errors.push(...[...errorsAt.values()].flat())
  return deliveries
}

function enter(known: Known, key: string | number): Known {
  const inner: Known = new Map()
  known.set(key, inner)
  return inner
}

/** The path of the value that is sent for the field of an error: a null around it where it has spread. */
function placeOf({ path }: FormattedError, data: unknown): string {
  if (!Array.isArray(path)) return ''
  let value = data
  const end = path.findIndex((part) => {
    value = ownValue(value, String(part))
    return typeof value !== 'object' || value === null
  })
  return path.slice(0, end === -1 ? path.length : end + 1).join('.')
}

/** Whether `@defer` or `@stream` is somewhere in an operation, also if a variable switches it off. */
export function mayPutOff(operation: OperationDefinitionNode, fragments: Fragments): boolean {
  return everySelection(operation.selectionSet, fragments).some(
    (selection) => directiveOf(selection, 'defer') ?? directiveOf(selection, 'stream'),
  )
}

/** `undefined` if its argument `if` is false. */
function directiveOf({ directives = [] }: SelectionNode, name: 'defer' | 'stream', variables?: Variables) {
  const directive = directives.find((one) => one.name.value === name)
  return directive && argumentsOf(directive, variables)['if'] !== false ? directive : undefined
}

function labelOf(directive: DirectiveNode): string | undefined {
  const { label } = argumentsOf(directive, undefined)
  return typeof label === 'string' ? label : undefined
}

function initialCountOf(directive: DirectiveNode, variables: Variables): number {
  const { initialCount: count } = argumentsOf(directive, variables)
  return typeof count === 'number' ? Math.max(0, count) : 0
}
