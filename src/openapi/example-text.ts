import { plausibleText, textInFormat } from '../core/values/plausible.ts'
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
    textInFormat(format, number, about, minLength) ??
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
