import { parseExactly, toJson } from '../../values/exact-number.ts'
import { diagnoseGraphQL } from '../../diagnostics/graphql-texts.ts'
import type { GraphQLParams } from '../../graphql/params.ts'
import { waitOf } from '../../response/delay.ts'
import {
  bodyAsText,
  headerOf,
  headerPairs,
  headerRecord,
  isBodiless,
  JsonText,
  prepareResponse,
  type PreparedResponse,
} from '../../response/prepare-response.ts'
import type { Answer, AskBackend, Asked, BackendAnswer, Decision } from '../decision.ts'
import { isError } from '../../diagnostics/severity.ts'

/** One batch in the same order, sent when each operation is known to need the backend or not. */
export function askOnce(batch: readonly GraphQLParams[], askBackend: AskBackend) {
  const undecided = new Set(batch.keys())
  const asking: {
    index: number
    resolve: (answer: BackendAnswer) => void
    reject: (error: unknown) => void
  }[] = []

  function decided(index: number): void {
    if (undecided.delete(index) && undecided.size === 0 && asking.length > 0) void askForAll()
  }

  async function askForAll(): Promise<void> {
    asking.sort((a, b) => a.index - b.index)
    const payloads = asking.map(({ index }) => batch[index]!.exactPayload)
    try {
      const answer = await askBackend(new TextEncoder().encode(toJson(payloads)))
      asking.forEach(({ resolve }, entry) => resolve(entryOfBatch(answer, entry)))
    } catch (error) {
      for (const { reject } of asking) reject(error)
    }
  }

  return {
    ask: (index: number) =>
      new Promise<BackendAnswer>((resolve, reject) => {
        asking.push({ index, resolve, reject })
        decided(index)
      }),
    /** The operation has its answer, or does not need the backend. */
    decided,
  }
}

/** A backend that refuses the batch as a whole has answered each entry with that. */
function entryOfBatch(answer: BackendAnswer, index: number): BackendAnswer {
  if (answer.kind !== 'complete') return answer
  let entries: unknown
  try {
    entries = parseExactly(new TextDecoder().decode(answer.body))
  } catch {
    return answer
  }
  if (!Array.isArray(entries) || index >= entries.length) return answer
  // Only the host sets a date: entries that other routes answer have none.
  const headers = { ...answer.headers }
  delete headers['date']
  return { ...answer, headers, body: new TextEncoder().encode(toJson(entries[index])) }
}

/**
 * Sent when the slowest answer is due, with the first fault. Status and headers are kept if all answers share them;
 * a diagnostic names the dropped ones. A batch without a matched operation is unmatched.
 */
export function joinBatch({ match, raw }: Asked, batch: readonly Decision[]): Decision {
  const by = batch.some((one) => one.by === 'override') ? 'override' : 'route'
  const decision: Decision = { by, match, raw, batch, wait: 0 }
  const join = () => joinAnswers(batch, decision)
  const isUnanswered = batch.every(({ explain }) => explain)
  if (isUnanswered)
    return {
      ...decision,
      by: batch.every(({ by }) => by === 'refused') ? 'refused' : 'nothing',
      explain: join,
    }
  // Only explained, and a function or the backend would answer.
  if (batch.some(({ explain, response }) => !explain && !response)) return decision
  return { ...decision, ...join() }
}

function joinAnswers(batch: readonly Decision[], { raw }: Decision): Answer {
  const answers = batch.map(
    ({ explain, response, diagnostic, reason }) => explain?.() ?? { response: response!, diagnostic, reason },
  )
  const responses = answers.map(({ response }) => response)
  const { status, headers, dropped } = joinHeads(responses)
  for (const name of joinedHeaders) {
    const texts = new Set(responses.map((response) => headerOf(response, name)).filter(Boolean))
    if (texts.size > 0) headers[name] = [...texts].join(', ')
  }
  const response = prepareResponse({
    status,
    headers,
    body: new JsonText(`[${responses.map(entryText).join(',')}]`),
    delay: responses.reduce((slowest, { delay }) => Math.max(slowest, waitOf(delay, raw)), 0),
    fault: responses.find(({ fault }) => fault)?.fault,
  })
  const diagnostics = answers.flatMap(({ diagnostic }) => diagnostic ?? [])
  const worst = diagnostics.find(isError)
  const lost = dropped.length > 0 ? diagnoseGraphQL('graphql-batch-differs', {}, { dropped }) : undefined
  return {
    response,
    diagnostic: worst ?? lost ?? diagnostics[0],
    reason: answers.find(({ reason }) => reason)?.reason,
  }
}

function entryText(response: PreparedResponse): string {
  const text = bodyAsText(response.body)
  if (text === '') return 'null'
  return headerOf(response, 'content-type')?.includes('json') ? text : JSON.stringify(text)
}

const joinedHeaders = ['x-mock-route', 'x-mock-seed']
const ownHeaders = new Set(['content-type', 'content-length', 'x-content-type-options', ...joinedHeaders])

/** The head that all answers share, and a description of each header or status that they do not. */
function joinHeads(responses: readonly PreparedResponse[]) {
  const heads = responses.map(readHeaders)
  const isShared = (name: string) => heads.every((head) => String(head[name]) === String(heads[0]![name]))
  const statuses = new Set(responses.map(({ status }) => status))
  const names = new Set(heads.flatMap(Object.keys))
  const headers: Record<string, string | string[]> = {}
  const dropped: string[] = []
  if (statuses.size > 1) dropped.push(`the status ${[...statuses].join(' or ')}`)
  for (const name of names) {
    if (!isShared(name)) dropped.push(`the header "${name}"`)
    else headers[name] = heads[0]![name]!
  }
  const { status } = responses[0]!
  return { status: statuses.size === 1 && !isBodiless(status) ? status : 200, headers, dropped }
}

/** The values of each header; all names are in lower case. */
function readHeaders(response: PreparedResponse): Record<string, string | string[]> {
  return headerRecord(headerPairs(response).filter(([name]) => !ownHeaders.has(name)))
}
