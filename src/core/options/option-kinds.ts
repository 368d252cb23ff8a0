import { isPlainObject } from '../values/values.ts'

/*
 * The kinds of values that options take. Every config that lists the plugin loads them, also for a build, so they are plain
 * functions: the library that checks fixture files takes longer to load than all of the rest.
 */

type Test = (value: unknown) => boolean

/** Which values an option takes. `undefined` is always one of them. */
export interface OptionKind {
  /** What the option expects, for the message about another value. */
  expected: string
  /** Default: no value, besides the list or the object below. */
  accepts?: Test
  /** If it also takes a list: which items. */
  acceptsItem?: Test
  /** Whether the list needs at least one item. */
  needsItem?: boolean
  /** If it also takes an object of options: their kinds. */
  options?: OptionKinds
}

export type OptionKinds = Readonly<Record<string, OptionKind>>

/** An option that was not accepted. */
export interface OptionProblem {
  /** The names on the way to the option: `['graphql', 'path']`. Empty when the options are not an object. */
  path: string[]
  /** What was expected; `undefined` for an unknown option. */
  expected?: string
  /** The value, or the item of a list, that was not accepted. */
  received: unknown
  /** The options that there are. */
  known: string[]
}

export const isText: Test = (value) => typeof value === 'string' && value !== ''
export const isBoolean: Test = (value) => typeof value === 'boolean'
export const isPath: Test = (value) => typeof value === 'string' && /^\/[^?#]*$/.test(value)
export const isOneOf =
  (values: readonly unknown[]): Test =>
  (value) =>
    values.includes(value)
export const isWholeNumber =
  (min: number, max = Number.MAX_SAFE_INTEGER): Test =>
  (value) =>
    Number.isInteger(value) && Number(value) >= min && Number(value) <= max

const onTexts = ['true', '1', 'on', 'yes']
const offTexts = ['false', '0', 'off', 'no', '']

/** On or off, perhaps from an environment variable. */
export const isOnOrOff: Test = (value) =>
  isBoolean(value) ||
  (typeof value === 'string' && [...onTexts, ...offTexts].includes(value.trim().toLowerCase()))

export function isOn(value: boolean | string): boolean {
  return typeof value === 'boolean' ? value : onTexts.includes(value.trim().toLowerCase())
}

/** Everything that is wrong with an object of options. */
export function findProblems(
  options: unknown,
  kinds: OptionKinds,
  expected = 'an object of options',
  path: string[] = [],
): OptionProblem[] {
  const known = Object.keys(kinds)
  if (!isPlainObject(options)) return [{ path, expected, received: options, known }]
  const problems = known.flatMap((name): OptionProblem[] => {
    const kind = kinds[name]!
    const value = options[name]
    if (value === undefined) return []
    const here = [...path, name]
    if (kind.options && isPlainObject(value)) return findProblems(value, kind.options, kind.expected, here)
    const refused = findRefused(value, kind)
    return refused ? [{ path: here, expected: kind.expected, received: refused.value, known }] : []
  })
  const unknown = Object.keys(options).filter((name) => !known.includes(name))
  return [...problems, ...unknown.map((name) => ({ path: [...path, name], received: options[name], known }))]
}

const acceptsNothing: Test = () => false

/** The value if it is refused, or the item of a list that makes the list invalid. */
function findRefused(value: unknown, kind: OptionKind): { value: unknown } | undefined {
  const { accepts = acceptsNothing, acceptsItem, needsItem = false } = kind
  if (!Array.isArray(value) || !acceptsItem) return accepts(value) ? undefined : { value }
  const items = value as unknown[]
  if (items.length === 0) return needsItem ? { value } : undefined
  const index = items.findIndex((item) => !acceptsItem(item))
  return index === -1 ? undefined : { value: items[index] }
}
