import type { IncomingMessage, ServerResponse } from 'node:http'
import { plainError } from '../../core/answer/error-response.ts'
import { diagnoseBackend } from '../../core/diagnostics/backend-texts.ts'
import type { Report } from '../../core/diagnostics/diagnostic.ts'
import { originFolder } from '../../core/http/route-url.ts'
import type { ResolvedRecord } from '../../core/options/resolve-options.ts'
import { describeAsked } from '../../core/redact/redact.ts'
import { writeResponse } from '../../wire/node/write-response.ts'
import { siteOfOrigin } from '../node/feature.ts'
import { serverHeader, type SealingHandler } from './memory-server.ts'
import { askingReal } from './outgoing.ts'

/** Passes on what this process asks to the mock server of another process or thread, whose inspector shows it. */
export function askServer(target: string, record: ResolvedRecord, report: Report): SealingHandler {
  const ask = (req: IncomingMessage, res: ServerResponse) => {
    const request = describeAsked(req.method, req.url)
    delete req.headers.origin // it is not a page's
    req.headers[serverHeader] = '1'
    req.url = `${originFolder}${req.url}`
    const fail = (reason: string) => {
      const diagnostic = diagnoseBackend('outgoing-unreachable', {}, { request, target, reason })
      report(diagnostic)
      writeResponse(req, res, plainError(502, diagnostic))
    }
    const sent = { req, res, next: () => {} }
    // Its proxy is loaded with the first such request.
    void import('../../backend/backend.ts').then(({ send }) =>
      askingReal(() =>
        send(sent, 'target', { ...record, target, headers: {} }, siteOfOrigin({ report }), fail),
      ),
    )
  }
  return Object.assign(ask, { refuse: ask })
}
