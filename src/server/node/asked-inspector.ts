import type { IncomingMessage } from 'node:http'
import { isLoopback } from '../../core/http/host-name.ts'
import { inspectorAddress } from '../../inspector/inspector-folder.ts'
import { originOf } from '../../wire/node/listening-origin.ts'
import { schemeOf } from '../../wire/node/this-machine.ts'
import { serverOf } from '../upgrades/upgrades.ts'
import { mountOf } from './feature.ts'

/** Address of the inspector for a server that is known by its first request. */
export function askedInspector(req: IncomingMessage): string | undefined {
  return inspectorAddress(askedOrigin(req), mountOf(req))
}

/** The origin in the browser, if a dev server of this machine has passed the request on, and else that of the server. */
function askedOrigin(req: IncomingMessage): string | undefined {
  const { host, 'x-forwarded-host': named = host } = req.headers
  const url = `${schemeOf(req)}://${String(named)}`
  return URL.canParse(url) && isLoopback(new URL(url).hostname)
    ? new URL(url).origin
    : originOf(serverOf(req))
}
