import { hideSecrets, redactBody } from '../../core/request/redact.ts'
import type { FixtureEvent } from '../../core/schema/stream-schema.ts'
import { asJson } from '../../core/values/json-value.ts'

/** More events are left out. */
const maxEvents = 1000

export function isEventStream(type: unknown): boolean {
  return /^\s*text\/event-stream\b/i.test(String(type))
}

/**
 * The events that have arrived as a whole. How long each took is not known.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export function readEvents(text: string, report: (what: string) => void): FixtureEvent[] {
  const blocks = text.replaceAll(/\r\n?/g, '\n').split('\n\n').slice(0, -1)
  return blocks.slice(0, maxEvents).flatMap((block) => {
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
