import type { IncomingMessage, ServerResponse } from 'node:http'
import { plainError } from '../../core/answer/error-response.ts'
import { diagnoseRequest } from '../../core/diagnostics/request-texts.ts'
import { describeAsked } from '../../core/redact/redact.ts'
import type { Journal } from '../../inspector/journal.ts'
import { writeResponse } from '../../wire/node/write-response.ts'
import { isOfServer } from '../outgoing/memory-server.ts'

/** The answer to a request of a test that would leave this machine; the journal says so to the test. */
export function refuseElsewhere(
  journal: Journal | undefined,
  req: IncomingMessage,
  res: ServerResponse,
  url: string,
): void {
  const { method = 'GET', headers } = req
  const request = describeAsked(method, url)
  const diagnostic = diagnoseRequest('origin-unmatched', {}, { request })
  const response = plainError(404, diagnostic)
  const entry = journal?.add(journal.now(), method, url, headers)
  const isServer = isOfServer(req)
  if (entry)
    journal!.end(Object.assign(entry, { answeredBy: 'nothing', diagnostic, isServer }), 404, response)
  writeResponse(req, res, response)
}
