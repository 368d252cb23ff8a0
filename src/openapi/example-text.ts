import { plausibleFormat, plausibleText } from '../core/values/plausible.ts'
import type { Documents } from './documents.ts'
import { charactersOfPart } from './size-of.ts'
import { textsOfPattern, toUnicodePattern } from './pattern.ts'

export interface Generated {
  seed: number
  /** The type of the item, such as `User`; further inside, the key of the object. */
  type: string
  /** Values that the fixture gives for keys of the item. */
  given?: Readonly<Record<string, unknown>>
  /** Makes a value by its name in `faker` of the schema, or in a mapping: `{ address.city: location.city }`. */
  fake?: (name: string, seed: number) => unknown
  fakes?: Readonly<Record<string, string>> | undefined
  /** Keys from the whole value to this one. */
  path?: string
  ofObject?: number
}

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

interface Around {
  name: string
  index: number
  generated?: Generated | undefined
  documents: Documents
  spend: (parts: number) => void
}

/** Pattern and length are only followed as far as possible. */
export function exampleText(
  schema: Readonly<Record<string, unknown>>,
  { name, index, generated, documents, spend }: Around,
): string {
  const { format = '', pattern } = schema as { format?: string; pattern?: string }
  const { minLength = 0, maxLength = Infinity } = schema as { minLength?: number; maxLength?: number }
  spend((Number(minLength) || 0) / charactersOfPart)
  const about = generated && { ofObject: generated.seed, ...generated }
  const number = about ? (about.seed % 999) + 1 : index + 1
  const usual =
    (about && plausibleFormat(format, about, number)) ??
    formats[format]?.(number, minLength) ??
    (about && plausibleText(name, about)) ??
    (about || index > 0 ? `${name} ${number}` : name)
  const fitted = [...usual]
    .slice(0, maxLength)
    .join('')
    .padEnd(minLength, usual || 'a')
  const readable = pattern === undefined ? undefined : toUnicodePattern(pattern)
  if (readable === undefined) return fitted
  // Short texts keep nearly every pattern fast.
  const isFit = (text: string) =>
    text.length >= minLength && text.length <= Math.min(maxLength, 300) && documents.isMatch(readable, text)
  // Many patterns without anchors are meant for the whole text.
  if (isFit(fitted) && documents.isMatch(readable, fitted, true)) return fitted
  const texts = textsOfPattern(readable, index, minLength, (parts) => documents.spend(parts))
  if (!documents.slowPatterns.has(readable)) for (const text of texts) if (isFit(text)) return text
  return fitted
}
