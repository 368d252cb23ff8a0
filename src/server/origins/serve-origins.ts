import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { send } from '../../backend/backend.ts'
import { plainError } from '../../core/answer/error-response.ts'
import { findRequest } from '../../core/answer/receive.ts'
import type { Rules } from '../../core/answer/rules.ts'
import { diagnoseBackend } from '../../core/diagnostics/backend-texts.ts'
import { diagnoseRequest } from '../../core/diagnostics/request-texts.ts'
import { failsUnmatched } from '../../core/http/whose-state.ts'
import { fittingOrigins, originFolder, splitOrigin } from '../../core/http/route-url.ts'
import { describeAsked } from '../../core/redact/redact.ts'
import { originsOf } from '../../core/table/match.ts'
import { checkAccess } from '../../inspector/server/access.ts'
import { HttpError, setOwnHeaders, writeJson } from '../../inspector/server/json.ts'
import { setHeaders, writeResponse } from '../../wire/node/write-response.ts'
import { handleRequest } from '../handle-request.ts'
import { type NodeHost, passOn, siteOfOrigin } from '../node/feature.ts'
import { NodeReply } from '../node/node-reply.ts'
import { anyOrigin } from '../origin-policies.ts'
import { isOfServer } from '../outgoing/memory-server.ts'
import { askingReal } from '../outgoing/outgoing.ts'
import type { Next } from '../../wire/node/request-handler.ts'
import { ownOriginOf } from '../../wire/node/this-machine.ts'
import { actAsOrigin, readOriginRequest } from './origin-requests.ts'
import { refuseElsewhere } from './refuse-elsewhere.ts'
import { scriptPath, type OriginsServer } from './origins-server.ts'
import { checkLoaded, holdAnswer } from './foreign-answers.ts'
import { packageFolder } from '../../files/package-folder.ts'

/* Loaded with the first request of a page for another origin, or for the script that sends them here. */

export async function serveOrigins(
  server: OriginsServer,
  req: IncomingMessage,
  res: ServerResponse,
  next: Next,
): Promise<void> {
  const { host, originsNow, served, mounts } = server
  const { store, rulesNow } = host
  const { method = 'GET', url = '/' } = req
  const script = mounts.find((mount) => url.split('?', 1)[0] === `${mount}${scriptPath}`)
  const isForeign = script === undefined && !isOfServer(req)
  if (isForeign) holdAnswer(res)
  try {
    checkAccess(req, rulesNow().origins!, 'origins')
    if (isForeign) checkLoaded(req)
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    return writeJson(req, res, error.status, error, error.headers)
  }
  if (script !== undefined) return writeScript(res, server, `${script}${originFolder}`)
  const asked = readOriginRequest(url, mounts)
  const { table } = store.current!
  const origin = asked ? new URL(asked.url).origin : 'null'
  const isIn = (origins: readonly string[], one = origin) => originsOf({ origins }, one).length > 0
  const isAskedHere = (one: string) => isIn([...originsNow(), ...served], one)
  if (asked && !isAskedHere(origin) && failsUnmatched(req.headers))
    return refuseElsewhere(host.inspector?.journal, req, res, asked.url)
  if (!asked || !isAskedHere(origin))
    return writeResponse(req, res, plainError(404, diagnoseRequest('origin-unknown', {}, { origin })))
  const recording = host.recording.of(origin)
  // Another mock server of the host has its routes.
  if (!isIn(table.origins) && !recording && isIn(originsNow())) return next()
  const page = ownOriginOf(req) ?? ''
  // What the dev server allows its pages is not what the third party allows.
  for (const name of res.getHeaderNames()) if (name.startsWith('access-control-')) res.removeHeader(name)
  actAsOrigin(req, res, asked, page, isAskedHere)
  const rules: Rules = {
    ...rulesNow(),
    origins: { ...anyOrigin, origins: new Set([page]) },
    unmatched: recording ? 'passthrough' : host.options.unmatched,
  }
  const found = isIn(table.origins) ? findRequest(rules, table, method, asked.url, req) : undefined
  const forward = () => forwardToOrigin(host, req, res, asked.url)
  const passing = { req, res, next: forward, url: asked.url, origin, rules, table }
  if (found) return handleRequest(found, rules, new NodeReply(host, passing, found), host)
  passOn(host.hooks.pass, passing)
}

/** Asks the real third party, if no route answers, without cookies and credentials of this server. */
function forwardToOrigin(
  { store, options, report }: NodeHost,
  req: IncomingMessage,
  res: ServerResponse,
  url: string,
) {
  const { origin } = splitOrigin(url)
  req.url = url.slice(origin.length)
  const record = { ...options.record, target: origin, headers: {} }
  const fail = (reason: string) => {
    const request = describeAsked(req.method, url)
    const endpoints = store.current!.table.endpoints.filter(
      ({ path }) => fittingOrigins([splitOrigin(path).origin], origin).length > 0,
    )
    const known = [...new Set(endpoints.map(({ method, path }) => `${method} ${path}`))]
    const diagnostic = diagnoseBackend('origin-unreachable', {}, { request, origin, reason, known })
    report(diagnostic)
    writeResponse(req, res, plainError(502, diagnostic))
  }
  askingReal(() => send({ req, res, next: () => {} }, 'target', record, siteOfOrigin({ report }), fail))
}

let built: string | undefined

async function writeScript(res: ServerResponse, { originsNow, served }: OriginsServer, folder: string) {
  const origins = originsNow()
  for (const origin of origins) served.add(origin)
  const text =
    origins.length === 0
      ? ''
      : (built ??= await readFile(join(packageFolder(), 'dist/origins/origins.js'), 'utf8'))
  setOwnHeaders(res)
  setHeaders(res, 200, ['content-type', 'text/javascript; charset=utf-8'])
  res.end(
    text &&
      `${text}\nmockApiOrigins.start(${JSON.stringify({ origins, folder }).replaceAll('<', '\\u003c')})\n`,
  )
}
