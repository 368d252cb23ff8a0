import { asJson } from '../core/values/json-value.ts'
import { isRecord } from '../core/values/values.ts'
import {
  escapePattern,
  metAtOnce,
  patternOf,
  sameInJson,
  selectorPath,
  type Condition,
} from './mock-rules.ts'
import { NoFixtureFor } from './template.ts'
import { listIn, recordIn, textOf } from './values.ts'

/** @throws NoFixtureFor */
export function conditionOf(matcher: unknown): Condition {
  const given = recordIn(matcher)
  const { caseInsensitive, ...tests } = given
  const made = Object.entries(tests).map(([key, value]): Condition => {
    const text = textOf(value)
    const lists = () => ({ [`$${key}`]: listIn(value).map(conditionOf) })
    switch (key) {
      case 'equalTo':
        return caseInsensitive === true ? patternOf(escapePattern(text), true, 'i') : text
      case 'matches':
        return patternOf(text, true)
      case 'contains':
        return patternOf(escapePattern(text), false)
      case 'doesNotMatch':
        return { $not: patternOf(text, true) }
      case 'doesNotContain':
        return { $not: patternOf(escapePattern(text), false) }
      case 'absent':
        return { $exists: value !== true }
      case 'and':
      case 'or':
        return lists()
      case 'not':
        return { $not: conditionOf(value) }
      case 'hasExactly':
      case 'includes':
        // All of them, in any order; others may stand beside them.
        return { $all: listIn(value).map((one) => textOf(one['equalTo'])) }
      default:
        throw new NoFixtureFor(`a route does not select by ${key}`)
    }
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

const comparisons: Record<string, string> = {
  '==': '$eq',
  '!=': '$ne',
  '>': '$gt',
  '>=': '$gte',
  '<': '$lt',
  '<=': '$lte',
}

function jsonPathConditions(given: unknown): Record<string, unknown> {
  const { expression = given, ...matcher } = recordIn(given)
  const text = textOf(expression).trim()
  const path = selectorPath(text)
  if (path !== undefined) {
    if (Object.keys(matcher).length === 0) return { [path]: { $exists: true } }
    const { equalToJson: json } = matcher
    if (json !== undefined) return { [path]: typeof json === 'string' ? asJson(json)?.value : json }
    const condition = conditionOf(matcher)
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
    return [field, operator === '==' ? literal.value : { [comparisons[operator]!]: literal.value }]
  })
  const all = Object.fromEntries(conditions)
  return list === '' ? all : { [list]: { $elemMatch: all } }
}
