/* What a process holds: memory after garbage collection, handles, descriptors, listeners. */
import { readdirSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Reads memory after garbage collection. Weakly held objects need several turns. */
export async function measureMemory() {
  let lowest = Infinity
  for (let turn = 0, calm = 0; turn < 20 && calm < 3; turn++) {
    await nextTurn()
    globalThis.gc()
    const { heapUsed } = process.memoryUsage()
    calm = heapUsed < lowest - 1024 ? 0 : calm + 1
    lowest = Math.min(lowest, heapUsed)
  }
  const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage()
  return { heapUsed, external, arrayBuffers, rss }
}

/** Kinds that Node uses itself now and then. (Timers that keep the process alive are resources.) */
const ofNode = ['loop', 'timer', 'idle', 'check', 'prepare', 'async']

// Newer versions of Node would else look up the names of all addresses.
process.report.excludeNetwork = true

/** Handles of libuv by type, also those that do not keep the process alive, such as watchers. */
export function countHandles() {
  const { libuv } = process.report.getReport()
  return countBy(libuv.map(({ type }) => type).filter((type) => !ofNode.includes(type)))
}

/** What keeps this process alive, by kind. */
export function countResources() {
  return countBy(process.getActiveResourcesInfo())
}

/** Open file descriptors, where the system lists them. */
export function countDescriptors() {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return undefined
  }
}

/** @param {import('node:events').EventEmitter[]} emitters */
export function countListeners(emitters) {
  return emitters
    .flatMap((emitter) => emitter.eventNames().map((name) => emitter.listenerCount(name)))
    .reduce((sum, count) => sum + count, 0)
}

function countBy(names) {
  const counts = {}
  for (const name of names.sort()) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
