/* What the open pages of a dev server are told. */
import { resolve } from 'node:path'
import type { ErrorPayload, HMRPayload, ViteDevServer, WebSocketClient } from 'vite'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import type { FixtureState } from '../../loader/fixture-state.ts'
import type { MockServer } from '../../server/mock-server.ts'

/** What `import.meta.hot.on('mock-api:reload', …)` receives after the fixture files have been loaded again. */
interface ReloadEvent {
  /** How many routes there are now. */
  routeCount: number
  /** How many errors the fixture files have. */
  errors: number
}

/** Servers whose pages show an overlay of this plugin. */
const covered = new WeakSet<ViteDevServer>()

/** Shows the first error in the open pages, and removes the overlay once all are corrected. */
export function updateOverlay(server: ViteDevServer, { store, options }: MockServer): void {
  // Without an open page, Vite would keep an error for the first page, even if it is fixed by then.
  if (server.ws.clients.size === 0) return
  const error = firstError(store.current)
  if (error) {
    // Vite's client reloads the page if its first update finds an overlay: it takes the page for one that failed to load.
    if (!covered.has(server)) server.ws.send(nothingChanged)
    covered.add(server)
    server.ws.send(toOverlay(error, options.root))
  } else if (covered.delete(server)) {
    server.ws.send(nothingChanged)
  }
}

/** Shows the first error in a page that has just been opened. */
export function showInNewPage(server: ViteDevServer, page: Page, { store, options }: MockServer): void {
  const error = firstError(store.current)
  if (!error) return
  covered.add(server)
  page.send(JSON.stringify(toOverlay(error, options.root)))
}

/** The connection of a page, as the event `connection` gives it. */
type Page = Pick<WebSocketClient['socket'], 'send'>

/** Tells the open pages of the application that answers may be different now. */
export function sendReload(server: ViteDevServer, { table, diagnostics }: FixtureState): void {
  const data: ReloadEvent = {
    routeCount: table.routeCount,
    errors: diagnostics.filter(({ severity }) => severity === 'error').length,
  }
  server.ws.send({ type: 'custom', event: 'mock-api:reload', data })
}

/** What Vite's client takes as "the error is gone". */
const nothingChanged: HMRPayload = { type: 'update', updates: [] }

export function hasErrors({ store }: MockServer): boolean {
  return firstError(store.current) !== undefined
}

function firstError(state: FixtureState | undefined): Diagnostic | undefined {
  return state?.diagnostics.find(({ severity }) => severity === 'error')
}

function toOverlay(diagnostic: Diagnostic, root: string): ErrorPayload {
  const { message, fix, line = 1, column = 1, frame, code } = diagnostic
  // Vite turns an absolute path into a link to the editor.
  const file = diagnostic.file && resolve(root, diagnostic.file)
  return {
    type: 'error',
    err: {
      message: `${message}\n${fix} [${code}]`,
      stack: '',
      plugin: 'unplugin-mock-api',
      ...(file && { id: file, loc: { file, line, column } }),
      // Without the two columns of the marker: the overlay trims the frame, so the first line would be out of line.
      ...(frame && { frame: frame.replaceAll(/^[> ] /gm, '') }),
    },
  }
}
