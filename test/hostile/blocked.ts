/*
 * `npm run hostile`: how long one hostile request blocks the event loop, by kind and server, each in a process of its
 * own. Runs the built package.
 *
 *   --dist dist      which build
 *   --only text      kinds or servers whose name holds this text
 *   --goal 250       milliseconds; the process fails where a request takes longer
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type * as Fetch from '../../src/fetch.ts'
import { hostileRequests, servers, toRequest, type ServerName } from './requests.ts'

const jiti = fileURLToPath(new URL('../../node_modules/jiti/lib/jiti-cli.mjs', import.meta.url))
const { values } = parseArgs({
  options: {
    dist: { type: 'string', default: 'dist' },
    only: { type: 'string', default: '' },
    goal: { type: 'string', default: '250' },
    kind: { type: 'string' },
    server: { type: 'string' },
  },
})

if (values.kind) {
  await measure(values.kind, values.server as ServerName)
} else {
  const goal = Number(values.goal)
  for (const { what, on } of hostileRequests) {
    for (const server of on) {
      if (!`${what} (${server})`.includes(values.only)) continue
      const blocked = await measureApart(what, server)
      if (!(blocked <= goal)) process.exitCode = 1
    }
  }
}

/** A request that takes all of the memory ends its own process. */
async function measureApart(kind: string, server: ServerName): Promise<number> {
  const args = [
    ...process.execArgv,
    fileURLToPath(import.meta.url),
    '--dist',
    values.dist,
    '--kind',
    kind,
    '--server',
    server,
  ]
  const child = spawn(process.execPath, ['--max-old-space-size=1024', jiti, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [printed, [code]] = await Promise.all([
    text(child.stdout),
    once(child, 'exit') as Promise<[number | null]>,
  ])
  process.stdout.write(code === 0 ? printed : `      ∞ ms  ${kind} (${server}): out of memory\n`)
  return code === 0 ? parseInt(printed, 10) : Infinity
}

async function measure(kind: string, server: ServerName): Promise<void> {
  const { createFetchHandler } = (await import(
    pathToFileURL(resolve(values.dist, 'fetch.js')).href
  )) as typeof Fetch
  const request = hostileRequests.find(({ what }) => what === kind)!
  const { routes, options } = servers[server]
  const silent = { info() {}, warn() {}, error() {} }
  const handler = createFetchHandler(routes, { ...options, logger: silent })
  // Loads graphql-js.
  await handler(new Request('http://localhost/graphql', { method: 'POST', body: '{"query":"{n}"}' }))
  const sent = toRequest(request)
  const size = Math.ceil(request.body().length / 1024)
  const begin = milliseconds()
  const response = await handler(sent)
  const blocked = milliseconds() - begin
  const messages = (await response!.text()).match(/"message":"(?:[^"\\]|\\.){0,120}/g) ?? []
  const says = messages.at(-1)?.slice(11) ?? ''
  process.stdout.write(
    `${blocked.toFixed(0).padStart(7)} ms  ${kind} (${server}), ${size} KiB: ${response!.status} ${says}\n`,
  )
}

/** Time that the main thread has been on a processor, where the system tells: other processes do not count then. */
function milliseconds(): number {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return performance.now()
  }
}
