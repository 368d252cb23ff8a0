import { asJson } from '../core/values/json-value.ts'
import { isRecord, ownValue } from '../core/values/values.ts'
import {
  escapePattern,
  metAtOnce,
  patternOf,
  sameInJson,
  selectorPath,
  type WhenCondition,
} from './mock-rules.ts'
import { NoFixtureFor } from './template.ts'
import { listIn, recordIn, toText } from './values.ts'

type Matcher = (text: string, value: unknown, isAnyCase: boolean) => WhenCondition

const allIn = (value: unknown) => listIn(value).map(matcherCondition)
/** All of them, in any order; others may stand beside them. */
function several(value: unknown): { $all: string[] } {
  const texts = listIn(value).map(({ equalTo }) => equalTo)
  if (texts.includes(undefined)) throw new NoFixtureFor('a route selects a list by whole values only')
  return { $all: texts.map(toText) }
}

const matchers: Record<string, Matcher> = {
  equalTo: (text, _, isAnyCase) => (isAnyCase ? patternOf(escapePattern(text), true, 'i') : text),
  matches: (text) => patternOf(text, true),
  contains: (text) => patternOf(escapePattern(text), false),
  doesNotMatch: (text) => ({ $not: patternOf(text, true) }),
  doesNotContain: (text) => ({ $not: patternOf(escapePattern(text), false) }),
  absent: (_, value) => ({ $exists: value !== true }),
  and: (_, value) => ({ $and: allIn(value) }),
  or: (_, value) => ({ $or: allIn(value) }),
  not: (_, value) => ({ $not: matcherCondition(value) }),
  hasExactly: (_, value) => ({ ...several(value), $size: listIn(value).length }),
  includes: (_, value) => several(value),
}

/** @throws NoFixtureFor */
export function matcherCondition(matcher: unknown): WhenCondition {
  const { caseInsensitive, ...tests } = recordIn(matcher)
  const made = Object.entries(tests).map(([key, value]) => {
    const make = ownValue(matchers, key) as Matcher | undefined
    if (!make) throw new NoFixtureFor(`a route does not select by ${key}`)
    return make(toText(value), value, caseInsensitive === true)
  })
  return metAtOnce(made)
}

/** Fields of the body with their conditions; `undefined` for a condition on its text. */
export function bodyConditions(pattern: Record<string, unknown>): Record<string, unknown> | undefined {
  const { equalToJson, matchesJsonPath, equalTo } = pattern
  const json = equalToJson ?? (typeof equalTo === 'string' && /^\s*[[{]/.test(equalTo) ? equalTo : undefined)
  if (json !== undefined) {
    const value = typeof json === 'string' ? asJson(json)?.value : json
    if (!isRecord(value)) throw new NoFixtureFor('a route does not select by a body that is a list')
    return withAnyValues(value)
  }
  if (matchesJsonPath !== undefined) return jsonPathConditions(matchesJsonPath)
  return undefined
}

/** Placeholders of JsonUnit stand for any value. */
function withAnyValues(value: Record<string, unknown>): Record<string, unknown> {
  const made = Object.entries(value).map(([key, one]) => {
    const isAny = typeof one === 'string' && /^[$#]\{json-unit\./.test(one)
    return [key, isAny ? { $exists: true } : isRecord(one) ? withAnyValues(one) : one]
  })
  return Object.fromEntries(made) as Record<string, unknown>
}

const signs: Record<string, string> = { '!=': '$ne', '>': '$gt', '>=': '$gte', '<': '$lt', '<=': '$lte' }

function jsonPathConditions(given: unknown): Record<string, unknown> {
  const { expression = given, ...matcher } = recordIn(given)
  const text = toText(expression).trim()
  const path = selectorPath(text)
  if (path !== undefined) {
    if (Object.keys(matcher).length === 0) return { [path]: { $exists: true } }
    const { equalToJson: json } = matcher
    if (json !== undefined) return { [path]: typeof json === 'string' ? asJson(json)?.value : json }
    const condition = matcherCondition(matcher)
    return { [path]: typeof condition === 'string' ? sameInJson(condition) : condition }
  }
  const [, list = '', filter = ''] = /^\$\.?([\w.]*)\[\?\((.*)\)\](?:\.[\w.]+)?$/.exec(text) ?? []
  const conditions = filter.split('&&').map((test): [string, unknown] => {
    const [, field = '', operator, value = ''] =
      /^\s*@\.([\w.]+)\s*(?:(==|!=|>=|<=|>|<|=~)\s*(.+?))?\s*$/.exec(test) ?? []
    if (field === '') throw new NoFixtureFor(`a route does not select by the JSONPath ${text}`)
    if (operator === undefined) return [field, { $exists: true }]
    const [, source, flags = ''] = /^\/(.*)\/(\w*)$/.exec(value) ?? []
    if (operator === '=~') return [field, patternOf(source ?? '', true, flags)]
    const literal = asJson(value.replace(/^'(.*)'$/, (_, one: string) => JSON.stringify(one)))
    if (!literal) throw new NoFixtureFor(`a route does not select by the JSONPath ${text}`)
    return [field, operator === '==' ? literal.value : { [signs[operator]!]: literal.value }]
  })
  const all = Object.fromEntries(conditions)
  return list === '' ? all : { [list]: { $elemMatch: all } }
}
