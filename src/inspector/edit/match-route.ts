import { isMap, isNode, isScalar, type Node } from 'yaml'
import { holdsSecret, isSecret } from '../../core/redact/redact.ts'
import type { UnmetCondition } from '../../core/select/failed-conditions.ts'
import { isRecord, keysOfPointer } from '../../core/values/values.ts'
import { isTextSource, keyPath, type Field } from '../../core/select/selector.ts'
import type { Route } from '../../core/fixture/route.ts'
import { entryOf, FixtureText, UneditableError, type MapEntry } from '../../writer/fixture-text.ts'
import { anyValue, valueCondition } from './write-route.ts'

/** Characters of the longest value that is written into a selector. */
const maxValue = 500

/**
 * The file with a route whose conditions hold for a request: each failed one gets the request's value. An operator is
 * widened, so that it still holds for what it was written for. A condition that the request has no value for is removed, and
 * a note says so.
 *
 * @returns with sentences about conditions that the new selector leaves out
 * @param isWidened whether a value stays as well, beside that of the request
 * @throws UneditableError
 */
export function matchRoute(
  file: FixtureText,
  { source }: Pick<Route, 'source'>,
  unmet: readonly UnmetCondition[],
  isWidened = false,
) {
  const keys = keysOfPointer(source.pointer ?? '')
  const notes: string[] = []
  let edited = file
  for (const condition of unmet) {
    const { field } = condition
    if (!field) throw new UneditableError('a function decides')
    const entries = findCondition(edited, [...keys, 'when'], field)
    const { key, value } = entries.at(-1)!.pair
    for (const name of edited.sharedAnchors(isNode(value) ? value : (key as Node)))
      notes.push(`The anchor &${name} is used elsewhere, and changes there too.`)
    const { text, note } = changed(edited, entries, condition, field, isWidened)
    if (note !== undefined) notes.push(note)
    edited = new FixtureText(text, file.isJson)
  }
  return { text: edited.text, notes: [...new Set(notes)] }
}

/** The entries on the way to a condition, from `when` on. */
function findCondition(file: FixtureText, when: readonly string[], field: Field): MapEntry[] {
  const route = file.find(when.slice(0, -1))
  const start = isMap(route) ? entryOf(route, 'when') : undefined
  const source = field.source === 'document' ? 'query' : field.source
  const path = field.source === 'document' ? [] : field.path
  const entry = start && isMap(start.pair.value) ? entryOf(start.pair.value, source) : undefined
  const rest = entry && below(entry.pair.value, path, field)
  if (rest) return [start!, entry, ...rest]
  throw new UneditableError(`the condition ${field.id} stands at an anchor, which other routes share`)
}

/** A key may have several names of the path, as in `filter.state`. */
function below(value: unknown, path: readonly string[], field: Field): MapEntry[] | undefined {
  if (path.length === 0) {
    const only = isMap(value) ? entryOf(value, '$only') : undefined
    if (only) return [only]
    return isMixed(value) ? undefined : []
  }
  if (!isMap(value)) return undefined
  for (const pair of value.items) {
    if (!isScalar(pair.key)) continue
    const names = keyPath(field.source, String(pair.key.value))
    if (names.length > path.length || names.some((name, index) => name !== path[index])) continue
    const rest = below(pair.value, path.slice(names.length), field)
    if (rest) return [{ map: value, pair }, ...rest]
  }
  return undefined
}

/** Operators next to other keys: a value would replace those too. */
function isMixed(value: unknown): boolean {
  if (!isMap(value)) return false
  const isOperator = value.items.map(({ key }) => isScalar(key) && String(key.value).startsWith('$'))
  return isOperator.includes(true) && isOperator.includes(false)
}

function changed(
  file: FixtureText,
  entries: readonly MapEntry[],
  { received }: UnmetCondition,
  field: Field,
  isWidened: boolean,
): { text: string; note?: string } {
  const last = entries.at(-1)!
  if (isScalar(last.pair.key) && last.pair.key.value === '$only') {
    const names = (last.pair.value as Node).toJS(file.document) as unknown[]
    return { text: file.withValue(last, [...new Set([...names, ...Object.keys(received as object)])]) }
  }
  if (received === undefined || field.source === 'document') {
    const why = received === undefined ? 'the request does not have it' : 'the request has another document'
    return { text: withoutCondition(file, entries), note: `The condition ${field.id} is removed: ${why}.` }
  }
  const isHidden = isSecret(field) || holdsSecret(received)
  if (isHidden || JSON.stringify(received).length > maxValue) {
    const why = isHidden ? 'a credential' : 'long'
    const note = `${field.id} only has to be there: its value is ${why}.`
    return { text: file.withValue(last, anyValue), note }
  }
  const { value } = last.pair
  const wanted = writtenLike(value, received, field)
  const before: unknown = isNode(value) ? value.toJS(file.document) : value
  if (isRecord(before) && Object.keys(before).some((key) => key.startsWith('$'))) {
    const widened = withOperators(before, wanted, isTextSource(field))
    if (widened) return { text: file.withValue(last, widened) }
    return {
      text: withoutCondition(file, entries),
      note: `The condition ${field.id} is removed: it excludes the value.`,
    }
  }
  return { text: file.withValue(last, isWidened ? { $in: [before, wanted] } : wanted) }
}

type Operators = Readonly<Record<string, unknown>>

/** Operators that hold for the same values as before, and for this one. `undefined` if none is left. */
function withOperators(operators: Operators, wanted: unknown, isText: boolean): Operators | undefined {
  const number = typeof wanted === 'number' || isText ? Number(wanted) : NaN
  const isSame = (one: unknown) => JSON.stringify(one) === JSON.stringify(wanted)
  const widened = Object.entries(operators).flatMap(([name, operand]): [string, unknown][] => {
    if (name === '$in' && Array.isArray(operand) && !operand.some(isSame))
      return [[name, [...(operand as unknown[]), wanted]]]
    if (name === '$nin' && Array.isArray(operand)) return [[name, operand.filter((one) => !isSame(one))]]
    if (name === '$eq' && !isSame(operand)) return [['$in', [operand, wanted]]]
    if ((name === '$ne' && isSame(operand)) || (name === '$exists' && operand === false)) return []
    if (/^\$gte?$/.test(name) && number <= Number(operand)) return [['$gte', number]]
    if (/^\$lte?$/.test(name) && number >= Number(operand)) return [['$lte', number]]
    return [[name, operand]]
  })
  if (widened.length === 0) return undefined
  const all = Object.fromEntries(widened)
  return JSON.stringify(all) === JSON.stringify(operators) ? { $or: [operators, wanted] } : all
}

/** A number stays without quotes where text is compared. */
function writtenLike(value: unknown, received: unknown, field: Field): unknown {
  if (!isTextSource(field)) return valueCondition(received)
  const isNumber = isScalar(value) && typeof value.value === 'number'
  return isNumber && String(Number(received)) === received ? Number(received) : received
}

/** The file without a condition, and without objects that are empty then. */
function withoutCondition(file: FixtureText, entries: readonly MapEntry[]): string {
  const at = entries.findLastIndex(({ map }, index) => index === 0 || map.items.length > 1)
  return file.with(file.removal(entries[at]!))
}
