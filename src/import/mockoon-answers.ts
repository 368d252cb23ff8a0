import { basename } from 'node:path'
import { contentTypeOf, textTypeOf } from '../core/response/prepare-response.ts'
import { asJson } from '../core/values/json-value.ts'
import { seedFrom, textInFormat } from '../core/values/plausible.ts'
import { isRecord } from '../core/values/values.ts'
import { Omissions } from '../writer/omissions.ts'
import type { WrittenAnswer } from '../writer/write-answer.ts'
import { allOf, mockAnswer, patternOf, sameInJson, selectorPath, type When } from './mock-rules.ts'
import { bucketOf, helperFor, mockoonSources, type Environment } from './mockoon-helpers.ts'
import type { Pairs } from './saved-requests.ts'
import type { ImportSource } from './source.ts'
import {
  helperArguments,
  isTemplate,
  NoFixtureFor,
  shownTag,
  variantsOf,
  type ReadHelper,
  type TemplateTest,
} from './template.ts'
import { listIn, toText } from './values.ts'

type Variant = WrittenAnswer & { when: When }

/** Rules that are joined by OR are routes of their own. */
export function conditionsOf(rules: readonly Record<string, unknown>[], areAll: boolean): When[] {
  const each = rules.map((rule): When => {
    const { target, modifier, invert } = rule
    const source = mockoonSources[toText(target)]
    const name = source === 'body' ? selectorPath(toText(modifier)) : toText(modifier).replace(/^:/, '')
    if (source === undefined) throw new NoFixtureFor(`a route does not select by ${toText(target)}`)
    if (!name)
      throw new NoFixtureFor(`a route does not select by ${source} ${toText(modifier) || 'as a whole'}`)
    const condition = conditionOf(rule, source === 'body')
    const opposite = { $not: isRecord(condition) ? condition : { $eq: condition } }
    const key = source === 'headers' ? name.toLowerCase() : name
    return { [source]: { [key]: invert === true ? opposite : condition } }
  })
  return areAll ? [allOf(each)] : each
}

function conditionOf({ operator, value }: Record<string, unknown>, isJson: boolean): unknown {
  const text = toText(value)
  if (text.includes('{{')) throw new NoFixtureFor('the value of its rule is a template')
  const same = isJson ? sameInJson(text) : text
  if (operator === 'equals' || operator === undefined) return same
  if (operator === 'regex') return patternOf(text, false)
  if (operator === 'regex_i') return patternOf(text, false, 'i')
  if (operator === 'null') return isJson ? { $in: [null, ''] } : { $exists: false }
  if (operator === 'empty_array') return { $size: 0 }
  if (operator === 'array_includes') return { $elemMatch: isRecord(same) ? same : { $eq: same } }
  throw new NoFixtureFor(`a route does not select by ${toText(operator)}`)
}

/** A list that remembers. Its templates have the same values in each answer. */
export function itemsOf(response: Record<string, unknown>, environment: Environment, path: string): object {
  const body = bucketOf(response['databucketID'], environment) ?? ''
  const helper = helperFor(path, environment, 'ALL')
  const read: ReadHelper = (name, args, index) => {
    const value = helper(name, args, index)
    if (!value || !('made' in value)) return value
    const seed = seedFrom(name, index)
    const format = value.made === '$now' ? 'date-time' : 'uuid'
    return { fixed: value.text ?? textInFormat(format, index, { seed, ofObject: seed, type: '' }) }
  }
  const headers: Pairs = [['content-type', 'application/json']]
  const made = mockAnswer({ status: 200, headers, body, read, where: path, path }, new Omissions())
  const value = made.answer.body
  const items = typeof value === 'string' ? asJson(value)?.value : value
  if (!Array.isArray(items) || !items.every(isRecord))
    throw new NoFixtureFor('its data are no list of objects')
  const id = toText(response['crudKey']) || 'id'
  return { items, ...(id !== 'id' && { id }), returnDeleted: true }
}

/** The answer, or one for each case of its template. */
export function answersOf(
  response: Record<string, unknown>,
  environment: Environment,
  path: string,
  where: string,
  source: ImportSource,
  omissions: Omissions,
): Variant[] {
  const { statusCode = 200, body, bodyType, databucketID, filePath, latency, callbacks } = response
  const pairs = [...listIn(environment['headers']), ...listIn(response['headers'])]
  const headers = new Map(pairs.map((one) => [toText(one['key']).toLowerCase(), toText(one['value'])]))
  const read = response['disableTemplating'] === true ? undefined : helperFor(path, environment, where.split(' ')[0]!) // prettier-ignore
  let content: string | Uint8Array = toText(
    bodyType === 'DATABUCKET' ? bucketOf(databucketID, environment) : body,
  )
  let usual = content === '' || /^\s*(?:\[|\{(?!\{))/.test(content) ? undefined : 'text/html'
  const file = toText(filePath)
  if (bodyType === 'FILE' || (bodyType === undefined && file !== '')) {
    if (isTemplate(file)) throw new NoFixtureFor(`its body is in ${file}, which depends on the request`)
    content = source.readNear(file)
    usual = contentTypeOf(file)
    if (textTypeOf(file) && read) content = new TextDecoder().decode(content)
    if (response['sendFileAsBody'] !== true)
      headers.set('content-disposition', `attachment; filename="${encodeURIComponent(basename(file))}"`)
  }
  if (usual !== undefined && !headers.has('content-type')) headers.set('content-type', usual)
  if (listIn(callbacks).length > 0) omissions.add('callbacks', 'a route sends no requests', where)
  const whole = { status: Number(statusCode), headers: [...headers], read, where, path }
  const variants = read && typeof content === 'string' ? variantsOf(content) : [{ text: content, tests: [] }]
  const delay = Number(latency ?? 0) + Number(environment['latency'] ?? 0)
  return variants.map(({ text, tests }) => {
    const written = mockAnswer({ ...whole, body: text }, omissions)
    const when = allOf(tests.map((test) => whenOf(test, read!)))
    return { ...written, when, answer: { ...written.answer, ...(delay > 0 && { delay }) } }
  })
}

/** Conditions of a request for a case of a template. */
function whenOf({ expression, value }: TemplateTest, read: ReadHelper): When {
  const [name = '', ...args] = helperArguments(expression)
  const found = read(name, args, 0)
  const [, source, key] = /^(\w+)\.(.+)$/.exec(found && 'from' in found ? found.from : '') ?? []
  if (source === undefined) throw new NoFixtureFor(`its template depends on ${shownTag(expression)}`)
  const condition = value === undefined ? { $exists: true } : source === 'body' ? sameInJson(value) : value
  return { [source]: { [key!]: condition } }
}
