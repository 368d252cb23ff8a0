import type { IncomingMessage } from 'node:http'
import { styleText } from 'node:util'
import type { PreviewServer, ViteDevServer } from 'vite'
import { inspectorFolder } from '../../inspector/inspector-folder.ts'
import { askedInspector } from '../../server/node/asked-inspector.ts'
import type { RequestHandler } from '../../wire/node/request-handler.ts'
import { type InstanceHandler, instancesOf, type PluginInstance } from '../plugin-instance.ts'

export type Server = ViteDevServer | PreviewServer

/** Whether the socket is Vite's: https://github.com/vitejs/vite/blob/v8.2.2/packages/vite/src/node/server/ws.ts */
export function isViteSocket({ headers }: IncomingMessage): boolean {
  return /^vite-(?:hmr|ping)$/.test(headers['sec-websocket-protocol'] ?? '')
}

/** Whether an instance has the inspector: only the first of a server has it. */
export function isInspected(server: Server, instance: PluginInstance): boolean {
  const { enabled, inspector } = instance.options
  const isOn = 'ws' in server ? inspector.dev : inspector.preview
  return enabled && isOn && instancesOf(server)[0] === instance
}

function inspectorAddress({ resolvedUrls }: Server): string | undefined {
  const [url] = [...(resolvedUrls?.local ?? []), ...(resolvedUrls?.network ?? [])]
  return url === undefined ? undefined : new URL(`${inspectorFolder}/`, url).href
}

/** Some frameworks have two servers with the same instance. */
const announced = new WeakSet<PluginInstance>()

/**
 * Prints the address below Vite's own URLs. The servers of frameworks may print their own: then the first request shows
 * where the server is.
 */
export function announce(server: Server, instance: PluginInstance): void {
  if (announced.has(instance)) return
  announced.add(instance)
  const { logger } = instance.options
  const { middlewareMode } = server.config.server
  const print = (label: string, text: string) => logger.print(formatLine(label, text))
  const isOfFramework = 'ws' in server && (middlewareMode || server.config.appType === 'custom')
  let isTold = !isOfFramework
  const tell = (address: string | undefined) =>
    instance.announce(isInspected(server, instance) ? address : undefined, print)
  if (isOfFramework)
    server.middlewares.use(function mockApiAddress(req, _, next) {
      const address = isTold ? undefined : askedInspector(req)
      if (!isTold && !middlewareMode) void tell(address)
      else if (address !== undefined && isInspected(server, instance)) print('Inspector', address)
      isTold = true
      next()
    })
  if (isOfFramework && middlewareMode) return void tell(undefined)
  const printUrls = server.printUrls.bind(server)
  server.printUrls = () => {
    printUrls()
    isTold = true
    void tell(inspectorAddress(server))
  }
}

function formatLine(label: string, text: string): string {
  const shown = /^https?:/.test(text) ? styleText('cyan', text) : text
  return `  ${styleText('green', '➜')}  ${styleText('bold', label)}: ${shown}`
}

/** Extends the call of Vite's command line: with a second `bindCLIShortcuts`, Vite 5 and 6 read each key twice. */
export function addShortcut(server: ViteDevServer): void {
  const shortcut = { key: 'm', description: 'open the inspector of the mock API', action: openInspector }
  const bind = server.bindCLIShortcuts.bind(server)
  server.bindCLIShortcuts = (options) => {
    const { customShortcuts = [] } = options ?? {}
    bind({ ...options, customShortcuts: [...customShortcuts, shortcut] })
  }
}

/** Vite's function has the user's settings, and takes the address from the config. */
function openInspector(server: ViteDevServer): void {
  const address = inspectorAddress(server)
  if (address === undefined) return
  const { server: options } = server.config
  const { open } = options
  try {
    options.open = address
    server.openBrowser()
  } finally {
    options.open = open
  }
}

/**
 * Vite 5 and 6 add their CORS headers and their host check after `configureServer`. Mock answers need both first, as since Vite 7.
 *
 * @see https://github.com/vitejs/vite/blob/v6.4.1/packages/vite/src/node/server/index.ts#L866
 */
export function moveChecksInFront(stack: { handle: unknown }[], handler: RequestHandler): void {
  const own = stack.findIndex(({ handle }) => handle === handler)
  const isHostCheck = ({ handle }: { handle: unknown }) =>
    (handle as { name: string }).name === 'viteHostCheckMiddleware'
  const after = stack.slice(own).filter((layer) => isCors(layer) || isHostCheck(layer))
  const others = stack.filter((layer) => !after.includes(layer))
  if (own !== -1) stack.splice(0, stack.length, ...others.slice(0, own), ...after, ...others.slice(own))
}

/**
 * Vite's CORS ends every `OPTIONS`, also one that is no preflight. Where a route has its path, CORS only adds its headers.
 *
 * @see https://github.com/expressjs/cors/blob/v2.8.5/lib/index.js#L155
 */
export function passOptions(stack: { handle: unknown }[], { takesOptions }: InstanceHandler): void {
  const cors = stack.find(isCors)
  if (!cors) return
  const add = cors.handle as RequestHandler
  cors.handle = function corsMiddleware(...[req, res, next]: Parameters<RequestHandler>): void {
    const isPreflight = req.headers['access-control-request-method'] !== undefined
    if (req.method !== 'OPTIONS' || isPreflight) return add(req, res, next)
    const addOnly = (isRouted: boolean) =>
      add(isRouted ? (Object.create(req, { method: { value: 'GET' } }) as IncomingMessage) : req, res, next)
    void takesOptions(req).then(addOnly).catch(next)
  }
}

/** The bundler of Vite 7 has added a number to its name. */
function isCors({ handle }: { handle: unknown }): boolean {
  return /^corsMiddleware(?:\$\d+)?$/.test((handle as { name: string }).name)
}
