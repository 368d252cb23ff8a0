import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ResolvedMiddlewareOptions } from '../../core/options/resolve-options.ts'
import type { RouteTable } from '../../core/table/route-table.ts'
import { describeUnanswered } from '../../core/table/similar.ts'
import { inspectorAddress } from '../../inspector/inspector-folder.ts'
import { isOfDevServer } from '../first-urls.ts'
import { startMockServer } from '../mock-server.ts'
import type { ServedRoutes } from '../web/serve-routes.ts'
import { sendRequest } from './memory-connection.ts'
import { createMemoryServer, answerPassedOn } from './memory-server.ts'
import { passedOn } from './taps.ts'

const unknownAddress = 'a machine whose remoteAddress the handler was not given'
/** Headers of one connection: the runtime has its own to the client. */
const ofConnection = ['connection', 'keep-alive', 'transfer-encoding']

/**
 * A mock server with everything that those of Node have, for requests and answers of `fetch`.
 * @param tableBefore answers until the fixtures are loaded
 */
export function serveRequests(
  options: ResolvedMiddlewareOptions,
  tableBefore: RouteTable,
): ServedRoutes & { close: () => Promise<void> } {
  const { base, logger, origins } = options
  const { store, state, hub, summary, createHandler, close } = startMockServer(options)
  const handle = createHandler('', origins)
  // Only a request that a route was probably meant for is a miss: others are of the application, whose answer is not seen.
  const isMeant = ({ method = 'GET', url = '/' }: IncomingMessage) =>
    !isOfDevServer(url) && describeUnanswered(store.current!.table, method, url, [base]) !== undefined
  const answer = (req: IncomingMessage, res: ServerResponse) =>
    handle(req, res, () => answerPassedOn(req, res, isMeant(req) ? 404 : 204))
  const open = createMemoryServer(Object.assign(answer, { refuse: handle.refuse }))
  let isTold = false
  void store.ready.then(() => logger.info(summary()))
  return {
    state,
    hub,
    close,
    current: {
      get table() {
        return store.current?.table ?? tableBefore
      },
    },
    async answer(request, { remoteAddress = unknownAddress } = {}) {
      await store.ready
      if (!isTold) logger.info(`inspector: ${inspectorAddress(new URL(request.url).origin, base)}`)
      isTold = true
      const sent = new Request(request.clone()) // whose headers can be changed
      for (const name of ofConnection) sent.headers.delete(name)
      const response = await sendRequest(sent, open({ remoteAddress })).catch(brokenOff)
      for (const name of ofConnection) response.headers.delete(name)
      if (!response.headers.has(passedOn)) return response
      void response.body?.cancel()
      return undefined
    },
  }
}

/** An answer without a head does not exist here: its body fails instead. */
function brokenOff(error: unknown): Response {
  return new Response(new ReadableStream({ start: (controller) => controller.error(error) }))
}
