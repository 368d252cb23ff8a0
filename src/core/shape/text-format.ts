/** Formats of JSON Schema that a text can be recognised by. Digits are none: a postal code may have letters, too. */
const formats = {
  // The time zone, and the time after a date, may be written in several ways. https://www.rfc-editor.org/rfc/rfc3339#section-5.6
  'date-time': /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?\s?(?:Z|[+-]\d\d(?::?\d\d)?)?$/i,
  date: /^\d{4}-\d\d-\d\d$/,
  uuid: /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i,
  url: /^(?:[a-z][a-z\d+.-]*:\/\/|data:)\S/i,
  email: /^[^\s@]+@[^\s@]+$/,
}

export type TextFormat = keyof typeof formats

export function formatOf(text: string): TextFormat | undefined {
  return (Object.keys(formats) as TextFormat[]).find((name) => formats[name].test(text))
}

/** A single word, as enums have them: no number, no id, and no text for people. */
export function isWord(text: string): boolean {
  return text.length <= 40 && /^\p{L}+(?:[_./:-]\p{L}+)*$/u.test(text)
}
