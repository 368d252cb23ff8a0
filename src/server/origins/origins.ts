import type { IncomingMessage, ServerResponse } from 'node:http'
import { originFolder, splitOrigin } from '../../core/http/route-url.ts'
import { diagnoseRequest } from '../../core/diagnostics/request-texts.ts'
import { ownValue } from '../../core/values/values.ts'
import { headerText } from '../../core/http/raw-request.ts'
import type { Next } from '../../wire/node/request-handler.ts'
import { schemeOf } from '../../wire/node/this-machine.ts'
import { insertScript, isPageRequest } from './insert-script.ts'
import { scriptPath, type OriginsServer } from './origins-server.ts'

export interface Origins {
  /** Called for every request of the dev server. */
  isFor: (url: string) => boolean
  serve: (req: IncomingMessage, res: ServerResponse, next: Next) => void
  /** Gives a page of the application the script that sends its requests to other origins here. */
  follow: (req: IncomingMessage, res: ServerResponse) => void
}

/** The parameter of a worker's script, with its type, which no header says. */
const workerParameter = /[?&]mock-api-worker=(classic|module)$/

/** @param mounts paths below which the server is, the application's first */
export function createOrigins(server: OriginsServer, mounts: readonly string[]): Origins {
  const [first = ''] = mounts
  const folders = mounts.map((mount) => `${mount}${originFolder}`)
  const starts = [...folders, ...mounts.map((mount) => `${mount}${scriptPath}`)]
  return {
    isFor: (url) =>
      url.includes('mock-api') &&
      (starts.some((start) => url.startsWith(start)) || workerParameter.test(url)),
    serve(req, res, next) {
      const [parameter, type] = workerParameter.exec(req.url ?? '') ?? []
      if (parameter !== undefined && !['//', ...folders].some((start) => req.url!.startsWith(start)))
        return writeWorker(res, req.url!.slice(0, -parameter.length), type!, first)
      import('./serve-origins.ts')
        .then(({ serveOrigins }) => serveOrigins(server, mounts, req, res, next))
        .catch(next)
    },
    follow(req, res) {
      if (server.originsNow().length === 0 || !isPageRequest(req)) return
      notice(server, req)
      insertScript(req, res, `${first}${scriptPath}`)
    },
  }
}

/** The reporter says each once. */
function notice({ host, originsNow }: OriginsServer, req: IncomingMessage): void {
  const { store, report } = host
  const origins = originsNow()
  const own = `${schemeOf(req)}://${headerText(req.headers, 'host') ?? headerText(req.headers, ':authority')}`
  const tell = (code: 'origin-own' | 'origin-twice' | 'origin-proxied', origin: string) => {
    const named = store.current!.table.endpoints.find(({ path }) => splitOrigin(path).origin === origin)
    report(diagnoseRequest(code, named?.routes[0]?.source ?? {}, { origin }))
  }
  if (origins.includes(own)) tell('origin-own', own)
  for (const origin of new Set(origins.filter((one, index) => origins.indexOf(one) !== index)))
    tell('origin-twice', origin)
  for (const one of Object.values(host.site.proxy ?? {})) {
    const target = String(typeof one === 'string' ? one : ownValue(one, 'target'))
    const origin = URL.canParse(target) ? new URL(target).origin : ''
    if (host.options.outgoing && origins.includes(origin)) tell('origin-proxied', origin)
  }
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
