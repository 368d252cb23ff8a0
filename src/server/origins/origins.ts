import type { IncomingMessage, ServerResponse } from 'node:http'
import { plainError } from '../../core/answer/error-response.ts'
import { diagnoseBackend } from '../../core/diagnostics/backend-texts.ts'
import type { Report } from '../../core/diagnostics/diagnostic.ts'
import { originFolder, splitOrigin } from '../../core/http/route-url.ts'
import { diagnoseRequest } from '../../core/diagnostics/request-texts.ts'
import { describeAsked } from '../../core/redact/redact.ts'
import { proxyTargets } from '../../backend/proxies.ts'
import { ownOriginOf } from '../../wire/node/this-machine.ts'
import { writeResponse } from '../../wire/node/write-response.ts'
import type { CreateFeature } from '../node/feature.ts'
import { isOfServer } from '../outgoing/memory-server.ts'
import { insertScript, isPageRequest } from './insert-script.ts'
import { scriptPath, type OriginsServer } from './origins-server.ts'

/** The parameter of a worker's script, with its type, which no header says. */
const workerParameter = /[?&]mock-api-worker=(classic|module)$/

/** Pages get a script that sends their requests to other origins here, where routes of those answer. */
export const otherOrigins: CreateFeature = (host) => {
  const { originsNow, site, report } = host
  if (!originsNow)
    return {
      arrive: (req, res) =>
        req.url!.startsWith(originFolder) && isOfServer(req) && refuseServer(req, res, report),
    }
  const mounts = [...new Set([site.hostBase, ''])]
  const server: OriginsServer = { host, originsNow, served: new Set(), mounts }
  const [first = ''] = mounts
  const folders = mounts.map((mount) => `${mount}${originFolder}`)
  const starts = [...folders, ...mounts.map((mount) => `${mount}${scriptPath}`)]
  const followed = new WeakSet<ServerResponse>()
  return {
    arrive(req, res, next) {
      const { url = '/' } = req
      if (!url.includes('mock-api')) return false
      const [parameter, type] = workerParameter.exec(url) ?? []
      if (parameter === undefined && !starts.some((start) => url.startsWith(start))) return false
      if (parameter !== undefined && !['//', ...folders].some((start) => url.startsWith(start)))
        writeWorker(res, url.slice(0, -parameter.length), type!, first)
      else
        import('./serve-origins.ts')
          .then(({ serveOrigins }) => serveOrigins(server, req, res, next))
          .catch(next)
      return true
    },
    pass({ req, res, origin }, next) {
      if (origin === '' && originsNow().length > 0 && isPageRequest(req) && !followed.has(res)) {
        followed.add(res)
        notice(server, req)
        insertScript(req, res, `${first}${scriptPath}`)
      }
      next()
    },
  }
}

/** Tells a process that has named this server in its option "outgoing" that only dev servers answer for other origins. */
function refuseServer(req: IncomingMessage, res: ServerResponse, report: Report): boolean {
  const asked = req.url!.slice(originFolder.length)
  const diagnostic = diagnoseBackend('outgoing-elsewhere', {}, { request: describeAsked(req.method, asked) })
  report(diagnostic)
  writeResponse(req, res, plainError(404, diagnostic))
  return true
}

/** The reporter says each once. */
function notice({ host, originsNow }: OriginsServer, req: IncomingMessage): void {
  const { store, report } = host
  const origins = originsNow()
  const own = ownOriginOf(req)
  const tell = (code: 'origin-own' | 'origin-twice' | 'origin-proxied', origin: string) => {
    const named = store.current!.table.endpoints.find(({ path }) => splitOrigin(path).origin === origin)
    report(diagnoseRequest(code, named?.routes[0]?.source ?? {}, { origin }))
  }
  if (own !== undefined && origins.includes(own)) tell('origin-own', own)
  for (const origin of new Set(origins.filter((one, index) => origins.indexOf(one) !== index)))
    tell('origin-twice', origin)
  for (const { origin } of proxyTargets(host.site.proxy).map((target) => new URL(target)))
    if (host.options.outgoing && origins.includes(origin)) tell('origin-proxied', origin)
}

/** The script of a worker runs ours first. Both have the address that the page has given. */
function writeWorker(res: ServerResponse, url: string, type: string, mount: string): void {
  const scripts = [`${mount}${scriptPath}`, url].map((one) => JSON.stringify(one))
  const text =
    type === 'module'
      ? scripts.map((one) => `import ${one}\n`).join('')
      : `importScripts(${scripts.join()})\n`
  res.setHeader('content-type', 'text/javascript; charset=utf-8')
  res.setHeader('cache-control', 'no-store')
  res.end(text)
}
