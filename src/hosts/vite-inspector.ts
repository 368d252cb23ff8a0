import type { CLIShortcut, PreviewServer, ViteDevServer } from 'vite'
import type { FixtureState } from '../loader/fixture-state.ts'
import { inspectorFolder } from './inspector-folder.ts'

/** What `import.meta.hot.on('mock-api:reload', …)` receives after the fixture files have been loaded again. */
interface ReloadEvent {
  /** How many routes there are now. */
  routeCount: number
  /** How many errors the fixture files have. */
  errors: number
}

/** The inspector's address on a server that listens, as its own URLs are. */
export function viteInspectorAddress({ resolvedUrls }: ViteDevServer | PreviewServer): string | undefined {
  const [url] = [...(resolvedUrls?.local ?? []), ...(resolvedUrls?.network ?? [])]
  return url === undefined ? undefined : new URL(`${inspectorFolder}/`, url).href
}

/**
 * Adds `m + enter` to Vite's shortcuts. Called a second time, `bindCLIShortcuts` of Vite 5 and 6 would read each key twice, so
 * the shortcut is added to the call of Vite's command line. The user's own shortcuts come first.
 */
export function addShortcut(server: ViteDevServer): void {
  const bind = server.bindCLIShortcuts.bind(server)
  server.bindCLIShortcuts = (options) => {
    const { customShortcuts = [] } = options ?? {}
    bind({ ...options, customShortcuts: [...customShortcuts, shortcut] })
  }
}

const shortcut: CLIShortcut<ViteDevServer> = {
  key: 'm',
  description: 'open the inspector of the mock API',
  action: openInspector,
}

/** Opens the browser as Vite does, with the user's settings for it. Vite's function takes the address from the config. */
function openInspector(server: ViteDevServer): void {
  const address = viteInspectorAddress(server)
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

/** Tells the open pages of the application that answers may be different now. */
export function sendReload(server: ViteDevServer, { table, diagnostics }: FixtureState): void {
  const data: ReloadEvent = {
    routeCount: table.routeCount,
    errors: diagnostics.filter(({ severity }) => severity === 'error').length,
  }
  server.ws.send({ type: 'custom', event: 'mock-api:reload', data })
}

/** The part of Vite DevTools that is used. They are experimental, and the user may not have them: nothing is imported. */
export interface DevToolsHook {
  devtools: {
    setup: (context: {
      docks: {
        register: (dock: { id: string; title: string; icon: string; type: 'iframe'; url: string }) => unknown
      }
      viteConfig: { base: string }
    }) => void
  }
}

/**
 * Docks the inspector in Vite DevTools, where the user has them.
 *
 * @param isServed whether the dev server has the inspector
 * @see https://devtools.vite.dev/kit/
 */
export function devToolsHook(isServed: () => boolean): DevToolsHook {
  return {
    devtools: {
      setup({ docks, viteConfig }) {
        if (!isServed()) return
        const url = `${viteConfig.base.replace(/\/?$/, '/')}${inspectorFolder}/`
        docks.register({ id: 'mock-api', title: 'Mock API', icon, type: 'iframe', url })
      },
    },
  }
}

/** The logo of the inspector. */
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%230b6b61'/%3E%3Cpath d='M12 9 7 16l5 7m8-14 5 7-5 7' fill='none' stroke='%23fff' stroke-width='3' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E"
