import type { FSWatcher } from 'chokidar'

export interface FixtureWatcher {
  /** Watches more files, such as modules that a fixture file imports. */
  add: (paths: readonly string[]) => void
  close: () => Promise<void>
}

/** What changed since the last call: files whose content is new, and whether files came or went. */
export interface Changes {
  paths: ReadonlySet<string>
  structure: boolean
}

/**
 * Reports changes below folders that need not exist yet. Changes that come while one is being dealt with are gathered
 * into the next call.
 *
 * The watcher does not keep the process alive: what serves the answers does.
 *
 * @param onReady called once everything is watched; what changed before that has not been reported
 */
export function watchFixtures(
  places: readonly string[],
  onChanges: (changes: Changes) => Promise<void>,
  onReady: () => void,
  onError: (error: unknown) => void,
): FixtureWatcher {
  let watcher: FSWatcher | undefined
  let closed = false
  let paths = new Set<string>()
  let structure = false
  let running = false
  const extra: string[] = []

  async function deliver(): Promise<void> {
    if (running) return
    running = true
    try {
      while (!closed && paths.size > 0) {
        const changes = { paths, structure }
        paths = new Set()
        structure = false
        await onChanges(changes)
      }
    } finally {
      running = false
    }
  }

  const started = import('chokidar').then(({ watch }) => {
    if (closed) return
    const options = {
      ignoreInitial: true,
      persistent: false,
      ignored: /[\\/](?:node_modules|\.git)(?:[\\/]|$)/,
    }
    watcher = watch([...places, ...extra], options)
    watcher.on('error', onError)
    watcher.on('ready', onReady)
    watcher.on('all', (event, path) => {
      paths.add(path)
      structure ||= event !== 'change'
      // Events of one save come together; the turn of the event loop ends before they are dealt with.
      setImmediate(() => void deliver().catch(onError))
    })
  })
  started.catch(onError)

  return {
    add(more) {
      if (watcher) watcher.add([...more])
      else extra.push(...more)
    },
    async close() {
      closed = true
      await started.catch(() => {})
      await watcher?.close()
    },
  }
}
