export type Schema = Record<string, unknown>

/** Text by its format. The number begins with 1, and differs for the entries of a list. */
const formats: Record<string, (number: number) => string> = {
  date: (number) => `2026-01-${twoDigits(number)}`,
  'date-time': (number) => `2026-01-${twoDigits(number)}T12:00:00Z`,
  time: (number) => `12:00:${twoDigits(number)}Z`,
  duration: (number) => `P${number}D`,
  email: (number) => `user${number}@example.com`,
  'idn-email': (number) => `user${number}@example.com`,
  uuid: (number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  uri: (number) => `https://example.com/${number}`,
  url: (number) => `https://example.com/${number}`,
  'uri-reference': (number) => `/${number}`,
  'uri-template': () => 'https://example.com/{id}',
  iri: (number) => `https://example.com/${number}`,
  hostname: (number) => `host${number}.example.com`,
  'idn-hostname': (number) => `host${number}.example.com`,
  ipv4: (number) => `192.0.2.${number}`,
  ipv6: (number) => `2001:db8::${number}`,
  byte: () => 'dGV4dA==',
  'json-pointer': (number) => `/${number}`,
  regex: () => '^.*$',
}

function twoDigits(number: number): string {
  return String(((number - 1) % 28) + 1).padStart(2, '0')
}

/** Tried in turn for a pattern. */
const candidates = `a A 1 aa AA AAA 11 111 1111 a1 A1 abc abc-def 1.0 1.0.0 #000000 +15550100 00000 AA11
  2026-01-01 12:00 12:00:00 a@example.com https://example.com /a a_b a.b a/b`.split(/\s+/)

/** Text that fits a schema, as far as that can be known: the name of its property, or text of its format. */
export function exampleText(schema: Schema, name: string, index: number): string {
  const {
    format,
    pattern,
    minLength = 0,
    maxLength = Infinity,
  } = schema as {
    format?: string
    pattern?: string
    minLength?: number
    maxLength?: number
  }
  const number = index + 1
  const usual =
    (format !== undefined && formats[format]?.(number)) || (index === 0 ? name : `${name} ${number}`)
  const fitted = [...usual]
    .slice(0, maxLength)
    .join('')
    .padEnd(minLength, usual || 'a')
  if (pattern === undefined) return fitted
  const matches = compile(pattern)
  const isFit = (text: string) => matches(text) && text.length >= minLength && text.length <= maxLength
  const repeated = ['a', 'A', '0', 'a1'].map((text) =>
    text.repeat(minLength).slice(0, Math.max(minLength, 1)),
  )
  return [fitted, ...candidates, '', ...repeated].find(isFit) ?? fitted
}

function compile(pattern: string): (text: string) => boolean {
  try {
    const expression = new RegExp(pattern, 'u')
    // The candidates are short, so that no pattern takes long.
    return (text) => text.length < 100 && expression.test(text)
  } catch {
    return () => true
  }
}
