import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { attempt } from '../../core/values/thrown.ts'
import { leftAddresses } from '../../files/running-servers.ts'
import { inspectorFolder } from '../../inspector/inspector-folder.ts'
import { findConfigs } from '../init/project.ts'
import { askDevServer } from '../../wire/node/ask-dev-server.ts'

export interface FoundServer {
  /** `Mock API of shop`, by the package.json of its project. */
  title: string
  origin: string
  /** Whether the server says that it belongs to the folder. Default: its title may say so. */
  isOwn?: boolean
  headers?: Record<string, string>
}

/** The first ports that dev servers take: Vite, its preview, Astro, `serve` and frameworks, webpack, Rspack. */
const usualPorts = [5173, 5174, 5175, 5176, 4173, 4321, 3000, 3001, 3002, 8080, 8081, 8082]

/** Milliseconds to wait for a port. A port without a listener refuses immediately. */
const patience = 2000
/** Patience with a dev server that is there: its first answer loads the inspector, which may take time. */
export const longPatience = 10_000

/** Servers that have left their address, and others on the usual ports and on those that the project names. */
export async function findServers(root: string): Promise<FoundServer[]> {
  const left = leftAddresses(root)
  const known = new Set(left.map(({ origin }) => new URL(origin).port))
  const ports = [...new Set([...namedPorts(root), ...usualPorts])].filter((port) => !known.has(String(port)))
  const usual = ports.flatMap((port) =>
    ['http', 'https'].map((protocol) => `${protocol}://localhost:${port}`),
  )
  const origins = new Set([...left.map(({ origin }) => origin), ...usual])
  const found = await Promise.all(
    [...origins].map(async (origin) => {
      const same = left.filter((one) => one.origin === origin)
      const one = await pingServer(origin, {}, same.length > 0 ? longPatience : patience)
      return one && { ...one, isOwn: same.some((one) => resolve(one.root) === resolve(root)) }
    }),
  )
  return found.filter((one) => one !== undefined)
}

/** Servers that say that they belong to the project, or else those with its title. */
export function ownServers(all: readonly FoundServer[], title: string): FoundServer[] {
  const own = all.filter(({ isOwn }) => isOwn)
  return own.length > 0 ? own : all.filter((one) => one.title === title)
}

/** `undefined` where no dev server has the plugin. */
export async function pingServer(
  origin: string,
  headers: Record<string, string> = {},
  milliseconds = patience,
): Promise<FoundServer | undefined> {
  try {
    const response = await askDevServer(`${origin}/${inspectorFolder}/mcp`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize' }),
      signal: AbortSignal.timeout(milliseconds),
    })
    const answer = (await response.json()) as { result?: { serverInfo?: { name?: string; title?: string } } }
    const { name, title } = answer.result?.serverInfo ?? {}
    return name === 'unplugin-mock-api' && title !== undefined ? { title, origin, headers } : undefined
  } catch {
    return undefined
  }
}

/** Ports named in the scripts of package.json, and in the configs of bundlers, which are not run. */
function namedPorts(root: string): number[] {
  const files = ['package.json', ...findConfigs(root).map(({ name }) => name)]
  const texts = files.map((file) => attempt(() => readFileSync(join(root, file), 'utf8')))
  const found = texts.join('\n').matchAll(/(?:\bport['"]?\s*:|--port[= ]|-p |\bPORT=)\s*(\d{2,5})\b/g)
  const ports = [process.env['PORT'], ...[...found].map(([, port]) => port)].map(Number)
  return ports.filter((port) => port > 0 && port < 65_536)
}
