import type { CLIShortcut, PreviewServer, ViteDevServer } from 'vite'
import { inspectorFolder } from '../../inspector/inspector-folder.ts'

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
