import { hideSecrets, redactBody } from '../../core/redact/redact.ts'
import type { FixtureEvent } from '../../core/schema/stream-schema.ts'
import { resultOf } from '../../core/stream/frames.ts'
import { asJson } from '../../core/values/json-value.ts'
import { isRecord } from '../../core/values/values.ts'

/** More events are left out, but for those of language models, whose texts are put together. */
const maxEvents = 1000
export const maxPieces = 100_000

/** Whether the content type is one of events, including multipart for subscriptions, but not for `@defer`. */
export function isEventStream(type: unknown): boolean {
  return /^\s*(?:text\/event-stream\b|multipart\/mixed\b.*\bsubscriptionSpec=)/i.test(String(type))
}

/** The results of an operation as they have arrived, by the protocol of graphql-sse or of Apollo, and whether it was completed. */
export function readResults(
  text: string,
  type: string,
  report: (what: string) => void,
): { results: FixtureEvent[]; isComplete: boolean } {
  const [, boundary] = /\bboundary="?([^\s";]+)/i.exec(type) ?? []
  const events = boundary === undefined ? readEvents(text, report) : readParts(text, boundary, report)
  const results = events.flatMap(({ event = 'next', data }) =>
    event === 'next' && isRecord(data) ? (resultOf(data as FixtureEvent) ?? []) : [],
  ) as FixtureEvent[]
  return { results, isComplete: events.some(({ event }) => event === 'complete') }
}

function readParts(text: string, boundary: string, report: (what: string) => void): FixtureEvent[] {
  const parts = text.split(`--${boundary}`).slice(1)
  return parts.slice(0, maxEvents).flatMap((part): FixtureEvent[] => {
    if (part.startsWith('--')) return [{ event: 'complete' }]
    const message = asJson(part.replace(/^[^]*?\r?\n\r?\n/, ''))?.value
    return isRecord(message) && isRecord(message['payload'])
      ? [{ data: hideSecrets(message['payload'], report) }]
      : []
  })
}

/**
 * The events that have arrived as a whole. How long each took is not known.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export function readEvents(text: string, report: (what: string) => void, most = maxEvents): FixtureEvent[] {
  const blocks = text.replaceAll(/\r\n?/g, '\n').split('\n\n').slice(0, -1)
  return blocks.slice(0, most).flatMap((block) => {
    const fields = block.split('\n').map((line) => /^([a-z]+)(?:: ?(.*))?$/.exec(line) ?? [])
    const all = (name: string) =>
      fields.filter(([, field]) => field === name).map(([, , value]) => value ?? '')
    const data = all('data')
    const [event, id, retry] = ['event', 'id', 'retry'].map((name) => all(name).at(-1))
    if (data.length === 0 && retry === undefined) return []
    return {
      ...(event !== undefined && { event }),
      ...(id !== undefined && { id }),
      ...(retry !== undefined && /^\d+$/.test(retry) && { retry: Number(retry) }),
      ...(data.length > 0 && { data: dataOf(data.join('\n'), report) }),
    }
  })
}

function dataOf(text: string, report: (what: string) => void): unknown {
  const json = /^\s*[[{]/.test(text) ? asJson(text) : undefined
  if (json) return hideSecrets(json.value, report)
  const redacted = redactBody(text, 'text/plain')
  if (redacted !== text) report('a token')
  return redacted
}
