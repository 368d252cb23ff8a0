import { groupBy } from '../../core/values/collections.ts'
import type { Observation, VisibleElement } from './observation.ts'
import { withoutNumbers } from './words.ts'

/** Knowledge of a page, from its visits without a sad path. */
export function createGoodPages(good: readonly Observation[]) {
  const steady = createFilter(good.map(({ parts }) => parts))
  const lookOf = ({ parts }: Observation) =>
    steady(parts)
      .map(({ place, text }) => `${place} ${text}`)
      .sort() // answers arrive in another order each time
      .join('\n')
  const last = steady(good.at(-1)!.parts)
  const texts = textsOf(last)
  const wordsOf = (parts: readonly VisibleElement[]) => textsOf(parts).map(withoutNumbers)
  const late = new Set(good.flatMap(({ parts }) => wordsOf(parts)))
  const early = new Set(good.flatMap(({ painted }) => wordsOf(painted)).filter((text) => !late.has(text)))
  const latePlaces = new Set(good.flatMap(({ parts }) => parts.map(({ place }) => place)))
  const emptyPlaces = good.flatMap(({ painted }) => painted.filter(({ text }) => text === ''))
  const earlyPlaces = new Set(emptyPlaces.map(({ place }) => place).filter((place) => !latePlaces.has(place)))
  const pieces = (value: string) =>
    texts.flatMap((text) =>
      text.includes(value) ? [text.split(value).filter((piece) => /\p{L}{3}/u.test(piece))] : [],
    )
  const letters = (text: string) => text.replace(/\P{L}+/gu, ' ').trim()
  return {
    /** Leaves out what differs each time. */
    steady,
    /** The text of a page, without what differs each time. Two pages with the same text look alike. */
    lookOf,
    /** The last page, as it was in the end. */
    parts: last,
    texts,
    /** Whether the pages have shown the text at any time: then it is no message. */
    hasShown: (text: string) => late.has(withoutNumbers(text)) || early.has(withoutNumbers(text)),
    hasInTheEnd: (text: string) => late.has(withoutNumbers(text)),
    /** Whether the pages have shown it before their data came, and not after. */
    isEarly: ({ place, text }: VisibleElement) =>
      text === '' ? earlyPlaces.has(place) : early.has(withoutNumbers(text)),
    /** Whether all of it is where the pages had it, beside a value that is lost: "Hello, guest" of "Hello, Ada". */
    isStandIn: (text: string, lost: readonly string[]) =>
      lost.some(
        (value) =>
          value.length > 2 &&
          pieces(value).some((around) => around.length > 0 && around.every((piece) => text.includes(piece))),
      ),
    /** Whether it is a text of the pages without values that are lost. */
    isRest: (text: string, lost: readonly string[]) =>
      texts.some((one) => {
        const rest = lost.reduce((left, value) => (value.length > 2 ? left.replaceAll(value, '') : left), one)
        return rest !== one && letters(rest) === letters(text)
      }),
  }
}

/** Leaves out what is not the same each time: numbers, as those of a clock, or else texts that not all the pages have. */
function createFilter(
  looks: readonly (readonly VisibleElement[])[],
): (parts: readonly VisibleElement[]) => VisibleElement[] {
  const all = looks.map((parts) => groupBy(parts, ({ place }) => place))
  const places = [...new Set(all.flatMap((byPlace) => [...byPlace.keys()]))]
  const textsAt = (byPlace: (typeof all)[number], place: string) =>
    (byPlace.get(place) ?? []).map(({ text }) => text)
  const findVarying = (written: (text: string) => string) => {
    const isVarying = (place: string) =>
      new Set(all.map((byPlace) => textsAt(byPlace, place).map(written).sort().join('\n'))).size > 1
    return new Set(places.filter(isVarying))
  }
  const inNumbers = findVarying((text) => text)
  const inWords = findVarying(withoutNumbers)
  const isInAll = ({ place, text }: VisibleElement) =>
    all.every((byPlace) => textsAt(byPlace, place).includes(text))
  return (parts) =>
    parts
      .filter((part) => !inWords.has(part.place) || isInAll(part))
      .map((part) => (inNumbers.has(part.place) ? { ...part, text: withoutNumbers(part.text) } : part))
}

export function textsOf(parts: readonly VisibleElement[]): string[] {
  return parts.map(({ text }) => text).filter((text) => text !== '')
}

/** Short values, such as ids, are found everywhere. */
export function isShown(value: string, texts: readonly string[]): boolean {
  return value.length > 2 && texts.some((text) => text.includes(value))
}
