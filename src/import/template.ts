import { hideSecrets, redactText } from '../core/redact/redact.ts'
import { asLiteral } from '../core/request-values/compile-values.ts'
import { cutText } from '../core/values/describe-value.ts'
import { asJson } from '../core/values/json-value.ts'
import { plausibleRange, plausibleText, seedFrom } from '../core/values/plausible.ts'
import { isRecord } from '../core/values/values.ts'
import { escapeText } from '../writer/exchange/own-links.ts'

/** A value of a template: a part of the request, one that is made for each answer, perhaps as a text, or always the same. */
export type TemplateValue =
  { from: string; else?: string | undefined } | { made: '$now' | '$uuid'; text?: string } | { fixed: unknown }

/** A helper of Handlebars with its arguments; `undefined` for one that a fixture has nothing for. */
export type ReadHelper = (name: string, args: readonly string[], index: number) => TemplateValue | undefined

type Report = (what: string, why?: string) => void

export class NoFixtureFor extends Error {}

const tag = /\{\{\{?~?\s*([^]*?)\s*~?\}?\}\}/g
const start = '\uE001'
const marks = /\uE001(\d+)\uE001/g
const bare = '\uE002'
const maxText = 1_000_000

/** An expression as a sentence has it. */
export function shownTag(expression: string): string {
  return `{{${cutText(redactText(expression), 60)}}}`
}

export function isTemplate(text: string): boolean {
  return text.includes('{{')
}

/**
 * A text with Handlebars as a value of a fixture.
 *
 * @param isJson whether the text is JSON once its values are there
 * @throws NoFixtureFor
 */
export function fromTemplate(text: string, isJson: boolean, read: ReadHelper, report: Report): unknown {
  const values: TemplateValue[] = []
  const marked = repeated(text).replace(tag, (_, expression: string) => {
    const [name = '', ...args] = helperArguments(expression)
    if (name.startsWith('!')) return ''
    const value = read(name, args, values.length)
    if (!value) throw new NoFixtureFor(`its template has ${shownTag(expression)}`)
    return `${start}${values.push(value) - 1}${start}`
  })
  if (!isJson) return inText(marked, values, report)
  // A value without quotes gets some, and a mark that says so.
  const quoted = marked.replace(/"(?:[^"\\]|\\.)*"|\uE001\d+\uE001/gs, (token) =>
    token.startsWith('"') ? token : `"${token}${bare}"`,
  )
  const json = asJson(quoted)
  if (!json) throw new NoFixtureFor('its template is not JSON around its values')
  const made = inJson(hideSecrets(json.value, report), values, report)
  if (typeof json.value !== 'string') return made
  // JSON that is one text is sent with its quotes.
  const isBare = json.value.endsWith(bare)
  const whole = isBare ? made : inText(json.value, values, report)
  if (typeof whole === 'string') return JSON.stringify(whole)
  return isBare || !isRecord(whole) ? whole : { ...whole, $text: `"${String(whole['$text'])}"` }
}

function inJson(value: unknown, values: readonly TemplateValue[], report: Report): unknown {
  if (typeof value === 'string') return value.includes(start) ? inString(value, values, report) : value
  if (!JSON.stringify(value).includes(start)) return asLiteral(value)
  if (Array.isArray(value)) return value.map((one) => inJson(one, values, report))
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inJson(one, values, report)]))
    : value
}

function inString(text: string, values: readonly TemplateValue[], report: Report): unknown {
  const [, index, isBare] = /^\uE001(\d+)\uE001(\uE002?)$/.exec(text) ?? []
  const only = index === undefined ? undefined : values[Number(index)]
  if (only && 'made' in only && only.text === undefined) return { [only.made]: true }
  if (only && isBare && 'fixed' in only) return only.fixed
  if (only && isBare && 'from' in only) {
    const otherwise = only.else === undefined ? {} : { else: asJson(only.else)?.value ?? only.else }
    return { $from: only.from, ...(!only.from.startsWith('body') && { as: 'json' }), ...otherwise }
  }
  return inText(text.replaceAll(bare, ''), values, report)
}

const always = { $now: '2026-01-15T12:00:00.000Z', $uuid: '3b2f9a54-6c1d-4e8a-9f07-5d2c8b1e4a60' }

function inText(text: string, values: readonly TemplateValue[], report: Report): unknown {
  const used: TemplateValue[] = []
  const parts = text.split(marks).map((part, index) => {
    const value = index % 2 === 0 ? { fixed: part } : values[Number(part)]!
    if ('fixed' in value) {
      const shown = typeof value.fixed === 'string' ? value.fixed : JSON.stringify(value.fixed)
      return { plain: shown, text: escapeText(shown) }
    }
    if ('made' in value) {
      report('a time or an id inside a text', 'it is always the same')
      const shown = value.text ?? always[value.made]
      return { plain: shown, text: shown }
    }
    used.push(value)
    return { plain: '', text: `{${value.from}}` }
  })
  const joined = (key: 'plain' | 'text') => parts.map((part) => part[key]).join('')
  if (used.length === 0) return joined('plain')
  const [only] = used
  const isWhole = joined('plain').trim() === '' && used.length === 1
  const otherwise = only && 'from' in only && isWhole ? only.else : undefined
  for (const value of used)
    if (!isWhole && 'from' in value && value.else)
      report(`the default "${value.else}" of ${value.from}`, 'a part of a text has none')
  return { $text: joined('text'), ...(otherwise !== undefined && { else: otherwise }) }
}

const maxVariants = 50

/** `{{# repeat 2}}` as `{{#repeat 2}}`. */
function withPlainTags(text: string): string {
  return text.replace(/\{\{([#/])\s+/g, '{{$1')
}

/**
 * Texts that a template with `switch`, `if` and `unless` can become, the first whose tests hold first. A test is a
 * helper with the value that it must have, or any.
 */
export function variantsOf(
  source: string,
  tests: readonly TemplateTest[] = [],
): { text: string; tests: readonly TemplateTest[] }[] {
  const block =
    /\{\{#(switch|if|unless)\s+((?:\([^{}]*\)|[^(){}\s])+)\s*\}\}((?:(?!\{\{#(?:switch|if|unless)\b)[^])*?)\{\{\/\1\}\}/
  const text = withPlainTags(source)
  const [whole, kind, given = '', content = ''] = block.exec(text) ?? []
  if (whole === undefined) return [{ text, tests }]
  const expression = given.replace(/^\(([^]*)\)$/, '$1')
  const made: [content: string, test?: TemplateTest][] = []
  if (kind === 'switch') {
    for (const [, value = '', one = ''] of content.matchAll(
      /\{\{#case\s+([^}]*?)\s*\}\}([^]*?)\{\{\/case\}\}/g,
    ))
      made.push([one, { expression, value: value.replace(/^(['"])(.*)\1$/, '$2') }])
    made.push([/\{\{#default\}\}([^]*?)\{\{\/default\}\}/.exec(content)?.[1] ?? ''])
  } else {
    const [yes = '', no = '', ...more] = content.split(/\{\{\s*else\b\s*\}\}/)
    if (more.length > 0 || /\{\{\s*else\b/.test(yes + no)) throw new NoFixtureFor('its template has else if')
    const [, operand, value] = /^eq\s+(\([^()]*\))\s+['"]?(.*?)['"]?$/.exec(expression) ?? []
    const test = operand === undefined ? { expression } : { expression: operand.slice(1, -1), value: value! }
    made.push([kind === 'if' ? yes : no, test], [kind === 'if' ? no : yes])
  }
  const variants = made.flatMap(
    ([one, test]) =>
    variantsOf(text.replace(whole, () => one), test ? [...tests, test] : tests), // prettier-ignore
  )
  if (variants.length > maxVariants) throw new NoFixtureFor('its template has too many cases')
  return variants
}

export interface TemplateTest {
  expression: string
  value?: string
}

/** Blocks that repeat their content, from the inside; a number that may be any is the highest that is named. */
function repeated(text: string): string {
  const block = /\{\{#repeat\s+([^}]*?)(?:\s+comma=(\w+))?\s*\}\}((?:(?!\{\{#repeat)[^])*?)\{\{\/repeat\}\}/
  let made = withPlainTags(text)
  for (let found = block.exec(made); found && made.length < maxText; found = block.exec(made)) {
    const [whole, given = '', comma, content = ''] = found
    const count = Math.max(1, ...(given.match(/\d+/g) ?? []).map(Number))
    const turns = Array.from({ length: Math.min(count, 100) }, (_, index) =>
      content.trim().replaceAll(/\{\{\s*@index\s*\}\}/g, String(index)),
    )
    made = made.replace(whole, () => turns.join(comma === 'false' ? '' : ', '))
  }
  return made
}

/** Arguments without their quotes; those of a helper in parentheses are one. */
export function helperArguments(expression: string): string[] {
  const parts =
    expression.match(/[\w.]+=(?:'[^']*'|"[^"]*"|\S+)|'[^']*'|"[^"]*"|\([^()]*\)|[^\s'"()]+/g) ?? []
  return parts.map((part) => part.replace(/^(['"])([^]*)\1$/, '$2').replace(/=(['"])([^]*)\1$/, '=$2'))
}

/** A value that stands for a random one, by its name: `internet.email`. */
export function fixedFor(name: string, index = 0): TemplateValue {
  const field = name.split('.').at(-1) ?? ''
  const seed = seedFrom(name, index)
  if (/uuid|guid/i.test(field)) return { made: '$uuid' }
  if (/bool/i.test(field)) return { fixed: true }
  if (/^(?:recent|past|future|soon|anytime|between|birthdate)$/.test(field) || /date|time/i.test(name))
    return { fixed: always.$now }
  if (/number|int|float|price|amount|decimal|digit|age$|year|lat(?:itude)?$|lng$|longitude/i.test(name)) {
    const { low, high } = plausibleRange(field)
    return { fixed: low + (seed % (high - low + 1)) }
  }
  const kind = /lorem|sentence|paragraph|phrase/.test(name) ? 'text' : field
  return { fixed: plausibleText(kind, { seed, ofObject: seed, type: 'user' }) ?? field }
}
