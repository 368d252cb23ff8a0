import { resolve } from 'node:path'
import type { ErrorPayload, HMRPayload, ViteDevServer, WebSocketClient } from 'vite'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import type { FixtureState } from '../../loader/fixture-state.ts'
import type { MockServer } from '../../server/mock-server.ts'
import { maxShown, moreErrors } from '../overlay/overlay.ts'
import { errorsIn } from '../../core/diagnostics/severity.ts'

const covered = new WeakSet<ViteDevServer>()

export function updateOverlay(server: ViteDevServer, { store, options }: MockServer): void {
  // Vite keeps an error for the first page, even if it is fixed by then.
  if (server.ws.clients.size === 0 || !options.overlay) return
  const errors = errorsIn(store.current?.diagnostics ?? [])
  if (errors.length > 0) {
    // Vite's client reloads the page if its first update finds an overlay.
    if (!covered.has(server)) server.ws.send(nothingChanged)
    covered.add(server)
    server.ws.send(toOverlay(errors, options.root))
  } else if (covered.delete(server)) {
    server.ws.send(nothingChanged)
  }
}

export function showInNewPage(server: ViteDevServer, page: Page, { store, options }: MockServer): void {
  const errors = errorsIn(store.current?.diagnostics ?? [])
  if (errors.length === 0 || !options.overlay) return
  covered.add(server)
  page.send(JSON.stringify(toOverlay(errors, options.root)))
}

type Page = Pick<WebSocketClient['socket'], 'send'>

export function sendReload(server: ViteDevServer, { table, diagnostics }: FixtureState): void {
  // For `import.meta.hot.on('mock-api:reload', …)`.
  const data = { routeCount: table.routeCount, errors: errorsIn(diagnostics).length }
  server.ws.send({ type: 'custom', event: 'mock-api:reload', data })
}

/** Vite's client takes it as "the error is gone". */
const nothingChanged: HMRPayload = { type: 'update', updates: [] }

/** The overlay shows one error, but it also links the places in its stack. */
function toOverlay([first, ...others]: readonly Diagnostic[], root: string): ErrorPayload {
  const { message, fix, line = 1, column = 1, frame, code } = first!
  // Vite links an absolute path to the editor.
  const fileOf = ({ file }: Diagnostic) => file && resolve(root, file)
  const file = fileOf(first!)
  const listed = others.slice(0, maxShown - 1).map((other) => {
    const { line = 1, column = 1, message } = other
    return `${other.file ? `${fileOf(other)}:${line}:${column}\n  ` : ''}${message}`
  })
  return {
    type: 'error',
    err: {
      message: `${message}\n${fix} [${code}]`,
      stack: others.length > 0 ? [`${moreErrors(others.length)}:`, ...listed].join('\n\n') : '',
      plugin: 'unplugin-mock-api',
      ...(file && { id: file, loc: { file, line, column } }),
      // The overlay trims the frame. A zero-width space before it keeps its lines aligned.
      ...(frame && { frame: `\u200b${frame}` }),
    },
  }
}

/** Vite's client. The folder of Vite may have another name: `npm i vite7@npm:vite@7`. */
export const viteClient = /\/vite[^/]*\/dist\/client\/client\.mjs$/
