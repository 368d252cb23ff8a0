import type { IncomingMessage, ServerResponse } from 'node:http'
import { decodeAnswer, interceptAnswer, type AnswerHead } from '../../backend/intercept-answer.ts'
import { maxBackendAnswer } from '../../core/answer/change-answer.ts'
import { Budget } from '../../core/graphql/budget.ts'
import { documentReaderOf } from '../../core/graphql/document.ts'
import { readGraphQL } from '../../core/graphql/params.ts'
import type { ReceivedBody } from '../../core/http/body.ts'
import type { Headers } from '../../core/http/raw-request.ts'
import { ParsedRequest } from '../../core/request/parsed-request.ts'
import { headerList, type PreparedResponse } from '../../core/response/prepare-response.ts'
import { type BackendPaths, matchBackend } from '../../core/sad-path/backend-endpoint.ts'
import type { Journal, JournalEntry } from '../../inspector/journal.ts'
import { beforeHead } from '../../wire/node/write-response.ts'
import { isNoAnswer, isOfScript, isPageOrNothing } from '../node/no-answer.ts'

/**
 * Without a client that asks for all, only what has got no answer: mostly a route that is missing.
 *
 * @param tell called before the answer of the dev server is sent, if it is none for the script that has asked
 * @param body where it was read
 */
export function notePassed(
  journal: Journal,
  req: IncomingMessage,
  url: string,
  res: ServerResponse,
  paths: BackendPaths,
  tell: (id: number) => void,
  body?: ReceivedBody,
): void {
  const start = journal.now()
  let added: JournalEntry | undefined
  const { method = 'GET', headers } = req
  const add = () => {
    const entry = journal.add(start, method, url, headers)
    if (body?.kind === 'complete' && body.bytes) journal.keepBody(entry, body.bytes)
    const { endpoint, path, search, params } = matchBackend(paths, method, url)
    const { graphql } = endpoint
    const base = paths.bases.find((one) => one !== '' && url.startsWith(`${one}/`)) ?? ''
    entry.path = graphql ? path : path.slice(base.length)
    const raw = { method, url, path, search, headers, params, body: entry.body?.bytes }
    const read = graphql && readGraphQL(raw, documentReaderOf(graphql), new Budget(graphql.maxCost))
    if (read && read.malformed === undefined) {
      const all = read.batch ?? [read.params]
      journal.nameOperations(
        entry,
        all.map((one) => new ParsedRequest(raw, params, one.payload, one)),
      )
    }
    return entry
  }
  followPassed(
    journal,
    req,
    res,
    () => (added ??= add()),
    () => added !== undefined,
    tell,
  )
}

/**
 * Notes how the next handler answers. Without a client that asks for all, only what has got no answer, or has a row already.
 *
 * @param entry adds the row of the request, if it has none
 * @param tell called before an answer is sent that is none for the script that has asked
 */
export function followPassed(
  journal: Journal,
  req: IncomingMessage,
  res: ServerResponse,
  entry: () => JournalEntry,
  hasRow: () => boolean,
  tell: (id: number) => void,
): void {
  if (isOfScript(req)) beforeHead(res, () => isPageOrNothing(res) && tell(entry().id))
  if (journal.keepsPassed) return keepAnswer(res, (response) => endPassed(journal, entry(), res, response))
  onClose(
    res,
    () =>
      (hasRow() || res.statusCode === 404 || isNoAnswer(req.headers, res)) &&
      endPassed(journal, entry(), res),
  )
}

/** Notes an upgrade that no one has answered. */
export function noteMiss(journal: Journal, method: string, url: string, headers: Headers): void {
  const entry = journal.add(journal.now(), method, url, headers)
  entry.isUnanswered = true
  journal.end(entry, undefined)
}

/** Keeps a copy of the answer on its way, if it is JSON: a sad path changes it, and the inspector shows it. */
function keepAnswer(res: ServerResponse, keep: (response: PreparedResponse | undefined) => void): void {
  const treat = ({ headers }: AnswerHead) =>
    /\bjson\b/.test(String(headers['content-type'])) ? ('copy' as const) : ('send' as const)
  void interceptAnswer(res, treat, maxBackendAnswer).then((answer) => {
    const decoded = answer.treatment === 'copy' ? decodeAnswer(answer) : { reason: '' }
    onClose(res, () =>
      keep('bytes' in decoded && decoded.bytes.length > 0 ? prepared(answer, decoded.bytes) : undefined),
    )
  })
}

function endPassed(
  journal: Journal,
  entry: JournalEntry,
  res: ServerResponse,
  response?: PreparedResponse,
): void {
  entry.isAborted = !res.writableFinished
  entry.isPending = true
  entry.isUnanswered = isNoAnswer(entry.headers, res)
  journal.end(entry, res.headersSent ? res.statusCode : undefined, response)
}

function prepared({ status, headers }: AnswerHead, body: Uint8Array): PreparedResponse {
  return { status, headers: headerList(headers), body, delay: 0, fault: undefined }
}

export function onClose(res: ServerResponse, listener: () => unknown): void {
  if (res.closed || res.destroyed) listener()
  else res.once('close', listener)
}
