import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { diagnoseGraphQL } from '../diagnostics/graphql-texts.ts'
import type { RawRequest } from '../http/raw-request.ts'
import { waitOf } from '../response/delay.ts'
import { bodyAsText, headerOf, isBodiless, prepareResponse, JsonText } from '../response/prepare-response.ts'
import type { PreparedResponse } from '../response/prepare-response.ts'
import type { Answered, Explanation, Outcome, Unmatched } from './outcome.ts'

/**
 * The answer to a batch: a list of the answers to its operations in order, sent when the slowest of them is due. It has the
 * first fault of them. A status and headers that all of them share are kept; others are dropped, and a diagnostic says so.
 * A batch without a matched operation is unmatched.
 */
export function joinBatch(outcomes: readonly Outcome[], raw: RawRequest): Outcome | Promise<Outcome> {
  const join = () => joinAnswers(outcomes, raw)
  const unmatched = outcomes.filter((outcome) => outcome.kind === 'unmatched')
  if (unmatched.length < outcomes.length) return join()
  const [{ request }] = unmatched as [Unmatched]
  return { kind: 'unmatched', explain: join, ...(request && { request }) }
}

async function joinAnswers(outcomes: readonly Outcome[], raw: RawRequest): Promise<Answered> {
  const explaining = outcomes.flatMap((outcome) => {
    // Only navigations are passed through, and they have no batch. The backend has been asked.
    if (outcome.kind === 'passthrough' || outcome.kind === 'backend') return []
    return [explain(outcome)]
  })
  const explained = await Promise.all(explaining)
  const responses = explained.map(({ response }) => response)
  const { status, headers, dropped } = joinHeads(responses)
  const names = new Set(responses.map((response) => headerOf(response, 'x-mock-route')).filter(Boolean))
  if (names.size > 0) headers['x-mock-route'] = [...names].join(', ')
  const response = prepareResponse({
    status,
    headers,
    body: new JsonText(`[${responses.map(entryText).join(',')}]`),
    delay: responses.reduce((slowest, { delay }) => Math.max(slowest, waitOf(delay, raw)), 0),
    fault: responses.find(({ fault }) => fault)?.fault,
  })
  const diagnostics = explained.flatMap(({ diagnostic }) => diagnostic ?? [])
  return {
    kind: 'answered',
    response,
    batch: outcomes,
    diagnostic: worstOf(diagnostics) ?? describeDropped(dropped) ?? diagnostics[0],
  }
}

async function explain(outcome: Answered | Unmatched): Promise<Explanation> {
  return outcome.kind === 'answered' ? outcome : outcome.explain()
}

function entryText(response: PreparedResponse): string {
  const text = bodyAsText(response.body)
  if (text === '') return 'null'
  return headerOf(response, 'content-type')?.includes('json') ? text : JSON.stringify(text)
}

/** Headers that are computed for the batch. */
const ownHeaders = new Set(['content-type', 'content-length', 'x-content-type-options', 'x-mock-route'])

/** The status and headers that all answers share, and a description of each one that they do not. */
function joinHeads(responses: readonly PreparedResponse[]) {
  const heads = responses.map(readHeaders)
  const isShared = (name: string) =>
    heads.every((head) => head[name]?.join('\n') === heads[0]![name]?.join('\n'))
  const statuses = new Set(responses.map(({ status }) => status))
  const names = new Set(heads.flatMap((head) => Object.keys(head)))
  const headers: Record<string, string | string[]> = {}
  const dropped: string[] = []
  if (statuses.size > 1) dropped.push(`the status ${[...statuses].join(' or ')}`)
  for (const name of names) {
    if (!isShared(name)) dropped.push(`the header "${name}"`)
    else {
      const values = heads[0]![name]!
      headers[name] = values.length === 1 ? values[0]! : values
    }
  }
  const { status } = responses[0]!
  // A batch always has a body.
  return { status: statuses.size === 1 && !isBodiless(status) ? status : 200, headers, dropped }
}

function readHeaders({ headers }: PreparedResponse): Record<string, string[]> {
  const read = Object.create(null) as Record<string, string[]>
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!.toLowerCase()
    if (!ownHeaders.has(name)) (read[name] ??= []).push(headers[i + 1]!)
  }
  return read
}

function describeDropped(dropped: readonly string[]): Diagnostic | undefined {
  return dropped.length > 0 ? diagnoseGraphQL('graphql-batch-differs', {}, { dropped }) : undefined
}

function worstOf(diagnostics: readonly Diagnostic[]): Diagnostic | undefined {
  return diagnostics.find(({ severity }) => severity === 'error')
}
