import { holdsSecret, isSecret } from '../core/redact/redact.ts'
import { compilePattern } from '../core/select/pattern.ts'
import { asJson } from '../core/values/json-value.ts'
import { isRecord, setOwn } from '../core/values/values.ts'
import { belowBase, whyUnwritable } from '../writer/endpoint-path.ts'
import type { Omissions } from '../writer/omissions.ts'
import { writeAnswer, type WrittenAnswer } from '../writer/write-answer.ts'
import type { ImportContext } from './imported.ts'
import type { Pairs } from './saved-requests.ts'
import { fromTemplate, isTemplate, NoFixtureFor, type ReadHelper } from './template.ts'

/* What the mocks of other tools have in common: an answer that may be a template, and conditions. */

interface MockAnswer {
  status: number
  headers: Pairs
  body: string | Uint8Array
  /** Absent if braces are a part of the body. */
  read?: ReadHelper | undefined
  where: string
  path: string
}

/** @throws NoFixtureFor */
export function mockAnswer(given: MockAnswer, omissions: Omissions): WrittenAnswer {
  const { status, headers, body, read, where, path } = given
  const report = (what: string, why?: string) =>
    omissions.add(why ? what : `response body "${what}"`, why ?? 'it is a credential', where)
  const isMade = (text: string | Uint8Array): text is string =>
    read !== undefined && typeof text === 'string' && isTemplate(text)
  const bytes = typeof body === 'string' ? new TextEncoder().encode(isMade(body) ? '' : body) : body
  const plain = headers.filter(([, value]) => !isMade(value))
  const source = { status, responseHeaders: plain, responseBody: bytes, origin: '', where, path }
  const written = writeAnswer({ ...source, isMeant: true }, omissions)
  const made: Record<string, { $text: string }> = {}
  for (const [name, value] of headers)
    if (isMade(value))
      made[name.toLowerCase()] = fromTemplate(value, false, read!, report) as { $text: string }
  const { answer } = written
  if (Object.keys(made).length > 0) answer.headers = { ...answer.headers, ...made }
  if (!isMade(body)) return written
  const type = headers.find(([name]) => /^content-type$/i.test(name))?.[1]
  const isJson =
    type === undefined ? /^\s*[[{]/.test(body.replace(/\{\{[^]*?\}\}/g, '')) : /[/+]json/i.test(type)
  if (type !== undefined && !/^application\/json\b/i.test(type))
    answer.headers = { 'content-type': type, ...answer.headers }
  const value = fromTemplate(body, isJson, read!, report)
  const isText = typeof value === 'string' || (isRecord(value) && '$text' in value)
  if (isJson && isText) answer.headers = { 'content-type': 'application/json', ...answer.headers }
  return { ...written, answer: { ...answer, body: value } }
}

/** @throws NoFixtureFor a path that a route can't have */
export function importedPath(path: string, { base, isBaseGiven }: ImportContext): string {
  const own = belowBase(path, base) ?? (isBaseGiven ? undefined : path)
  const why = own === undefined ? `its path is not below ${base}` : whyUnwritable(own)
  if (own === undefined || why !== undefined) throw new NoFixtureFor(why)
  return own
}

export type WhenCondition = string | number | boolean | Record<string, unknown>
export type When = Record<string, Record<string, unknown>>

/** All of the conditions. */
export function allOf(list: readonly When[]): When {
  const all: When = {}
  for (const [source, fields] of list.flatMap((one) => Object.entries(one)))
    for (const [key, condition] of Object.entries(fields)) {
      const known = (all[source] ??= {})
      setOwn(known, key, key in known ? metAtOnce([known[key], condition]) : condition)
    }
  return all
}

/** Conditions without credentials: that one is there is enough. */
export function withoutSecrets(when: When, where: string, omissions: Omissions): When {
  const hide = (source: string, name: string, value: unknown): unknown => {
    const isOperator = isRecord(value) && Object.keys(value).some((key) => key.startsWith('$'))
    if (isRecord(value) && !isOperator) return hideAll(source, value)
    if (isRecord(value) && '$exists' in value) return value
    const isNamed = isSecret({ source: source === 'cookies' ? 'body' : source, path: [name] })
    if (!isNamed && !holdsSecret({ [name]: value })) return value
    omissions.add(`a condition on "${name}"`, 'it is a credential: that it is there is enough', where)
    return { $exists: !(isRecord(value) && '$not' in value) }
  }
  const hideAll = (source: string, values: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, hide(source, name, value)]))
  return Object.fromEntries(Object.entries(when).map(([source, values]) => [source, hideAll(source, values)]))
}

export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`).replaceAll(String.raw`\/`, '/')
}

/** @throws NoFixtureFor a pattern that RE2 has not */
export function patternOf(source: string, isWhole: boolean, flags = ''): Record<string, string> {
  const $regex = isWhole ? `^(?:${source})$` : source
  const compiled = compilePattern($regex, flags)
  if ('reason' in compiled) throw new NoFixtureFor(`its pattern ${source} can't be used: ${compiled.reason}`)
  return { $regex, ...(flags && { $options: flags }) }
}

/** A text may stand for a number of the same digits. */
export function sameInJson(text: string): WhenCondition {
  const value = asJson(text)?.value
  return (typeof value === 'number' && String(value) === text) || typeof value === 'boolean'
    ? { $in: [text, value] }
    : text
}

/** `$.a.b[0]` and `a.b.0` as selectors have it; `undefined` for other JSONPath. */
export function selectorPath(text: string): string | undefined {
  const plain = text
    .replace(/^\$\.?/, '')
    .replace(/\[(?:'([^']*)'|"([^"]*)"|(\d+))\]/g, (_, a, b, c) => `.${a ?? b ?? c}`)
  const path = plain.replace(/^\./, '')
  return /^[\w-]+(?:\.[\w-]+)*$/.test(path) ? path : undefined
}

/** Conditions that one value meets. */
export function metAtOnce(conditions: readonly unknown[]): WhenCondition {
  if (conditions.length === 1) return conditions[0] as WhenCondition
  return { $and: conditions.map((one) => (isRecord(one) ? one : { $eq: one })) }
}
