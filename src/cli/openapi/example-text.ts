import { inTime, textsOfPattern, toUnicodePattern } from './pattern.ts'

const twoDigits = (number: number) => String(((number - 1) % 28) + 1).padStart(2, '0')
const email = (number: number) => `user${number}@example.com`
const host = (number: number) => `host${number}.example.com`
const url = (number: number) => `https://example.com/${number}`
const pathOnly = (number: number) => `/${number}`

/** The number begins with 1, and differs between the entries of a list. */
const formats: Record<string, (number: number, shortest: number) => string> = {
  date: (number) => `2026-01-${twoDigits(number)}`,
  'date-time': (number, shortest) =>
    `2026-01-${twoDigits(number)}T12:00:00${shortest > 20 ? '.'.padEnd(shortest - 20, '0') : ''}Z`,
  time: (number) => `12:00:${twoDigits(number)}Z`,
  duration: (number) => `P${number}D`,
  email,
  'idn-email': email,
  uuid: (number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  uri: url,
  url,
  'uri-reference': pathOnly,
  'uri-template': () => 'https://example.com/{id}',
  iri: url,
  hostname: host,
  'idn-hostname': host,
  ipv4: (number) => `192.0.2.${number}`,
  ipv6: (number) => `2001:db8::${number}`,
  byte: () => 'dGV4dA==',
  'json-pointer': pathOnly,
  regex: () => '^.*$',
}

/** Pattern and length are only followed as far as possible. */
export function exampleText(schema: Readonly<Record<string, unknown>>, name: string, index: number): string {
  const { format = '', pattern } = schema as { format?: string; pattern?: string }
  const { minLength = 0, maxLength = Infinity } = schema as { minLength?: number; maxLength?: number }
  const number = index + 1
  const usual = formats[format]?.(number, minLength) ?? (index === 0 ? name : `${name} ${number}`)
  const fitted = [...usual]
    .slice(0, maxLength)
    .join('')
    .padEnd(minLength, usual || 'a')
  const readable = pattern === undefined ? undefined : toUnicodePattern(pattern)
  if (readable === undefined) return fitted
  let isSlow = false
  const fits = (text: string, expression: string) => {
    const fit = isSlow ? false : inTime(() => new RegExp(expression, 'u').test(text))
    isSlow ||= fit === undefined
    return fit === true
  }
  // Short texts keep nearly every pattern fast.
  const isFit = (text: string) =>
    text.length >= minLength && text.length <= Math.min(maxLength, 300) && fits(text, readable)
  // Many patterns without anchors are meant for the whole text.
  if (isFit(fitted) && fits(fitted, `^(?:${readable})$`)) return fitted
  for (const text of textsOfPattern(readable, index, minLength)) if (isFit(text)) return text
  return fitted
}
