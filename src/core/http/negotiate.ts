import { headerText } from './raw-request.ts'
import type { RawRequest } from './raw-request.ts'

/** The media types of GraphQL responses. */
export type MediaType = 'application/json' | 'application/graphql-response+json'

const mediaTypes: readonly MediaType[] = ['application/json', 'application/graphql-response+json']

/**
 * The media type of the answer that a request accepts: the one with the higher `q`, of two that are equal the one that
 * is named first, and `application/json` where nothing says otherwise. `undefined` where it accepts neither.
 *
 * @see https://graphql.github.io/graphql-over-http/draft/#sec-Accept
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1
 */
export function negotiate({ headers }: Pick<RawRequest, 'headers'>): MediaType | undefined {
  const accept = headerText(headers, 'accept')
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return 'application/json'
  const ranges = accept.split(',').map(readRange)
  let best: { type: MediaType; quality: number; place: number } | undefined
  for (const type of mediaTypes) {
    const place = mostSpecific(ranges, type)
    const { quality } = ranges[place] ?? { quality: 0 }
    const isBetter = !best || quality > best.quality || (quality === best.quality && place < best.place)
    if (quality > 0 && isBetter) best = { type, quality, place }
  }
  return accept.trim() === '' ? 'application/json' : best?.type
}

function readRange(text: string): { range: string; quality: number } {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = weight === undefined ? 1 : Number(weight.slice(2))
  return { range, quality: Number.isNaN(quality) ? 1 : quality }
}

/** A range that names the type counts before `application/*`, and that before everything. */
function mostSpecific(ranges: readonly { range: string }[], type: MediaType): number {
  for (const candidate of [type, 'application/*', '*/*']) {
    const place = ranges.findIndex(({ range }) => range === candidate)
    if (place !== -1) return place
  }
  return -1
}
