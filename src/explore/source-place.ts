import { SourceMap, type SourceMapPayload } from 'node:module'
import { asJson } from '../core/values/json-value.ts'
import { askDevServer } from '../wire/node/ask-dev-server.ts'

/** `at Orders (http://localhost:5173/src/Orders.tsx?t=1:41:23)` */
const frame = /^\s*(?:at (?:.*\()?|.*@)((?:https?|file|webpack-internal):\S*?):(\d+):(\d+)\)?$/
/** Code of packages, of the dev server and of its client. */
const foreign = /\/node_modules\/|\/\.vite\/|\/@(?!fs\/)|\bnode_modules\b|^webpack\/|\(webpack\)/

export function isForeign(url: string): boolean {
  return foreign.test(url)
}

/**
 * Finds the top frame of the application's own source in stacks, through source maps.
 *
 * @param root the folder of the project
 * @returns `src/Orders.tsx:41`
 */
export function createPlaceFinder(root: string, headers: Record<string, string> = {}) {
  const maps = new Map<string, Promise<SourceMap | undefined>>()

  async function loadMap(url: string): Promise<SourceMap | undefined> {
    try {
      const code = await (await askDevServer(url, { headers })).text()
      const [, address] = [...code.matchAll(/\/\/[#@] sourceMappingURL=(\S+)/g)].at(-1) ?? []
      if (address === undefined) return undefined
      const text = address.startsWith('data:')
        ? await (await fetch(address)).text()
        : await (await askDevServer(new URL(address, url).href, { headers })).text()
      return new SourceMap(asJson(text)?.value as SourceMapPayload)
    } catch {
      return undefined // the place in the code that was sent is better than none
    }
  }

  async function placeOf(url: string, line: number, column: number): Promise<string | undefined> {
    if (foreign.test(url)) return undefined
    const isServed = url.startsWith('http')
    if (isServed && !maps.has(url)) maps.set(url, loadMap(url))
    const found = (await maps.get(url))?.findEntry(line - 1, column - 1)
    const [source, at] =
      found && 'originalSource' in found
        ? [found.originalSource, found.originalLine + 1]
        : [url.replace(/^webpack-internal:\/\/\/(?:\([\w-]+\)\/)?/, 'webpack://app/'), line]
    const path = pathOf(source, url, root)
    return foreign.test(path) ? undefined : `${path}:${at}`
  }

  return async (stack: string | undefined): Promise<string | undefined> => {
    for (const text of stack?.split('\n') ?? []) {
      const [, url, line, column] = frame.exec(text) ?? []
      const place = url === undefined ? undefined : await placeOf(url, Number(line), Number(column))
      if (place !== undefined) return place
    }
    return undefined
  }
}

function pathOf(source: string, url: string, root: string): string {
  const base = url.startsWith('webpack') ? 'http://app/' : url
  const { pathname, protocol } = URL.canParse(source, base)
    ? new URL(source, base)
    : { pathname: source, protocol: '' }
  const path = decodeURIComponent(pathname).replace(/^\/@fs(?=\/)/, '')
  const isOfPackage = protocol === 'webpack:' // webpack://name-of-package/./src/Orders.tsx
  return (path.startsWith(`${root}/`) ? path.slice(root.length) : path)
    .replace(/^\/+/, '')
    .replace(isOfPackage ? /^\.\// : /^$/, '')
}
