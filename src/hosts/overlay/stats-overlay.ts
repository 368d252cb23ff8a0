import { isAbsolute } from 'node:path'
import type { MockServer } from '../mock-server.ts'
import { overlayErrors } from './overlay-errors.ts'

/** What is needed of `Stats` and `MultiStats`, webpack's and Rspack's. */
interface Stats {
  toJson: (options?: unknown) => { warnings?: readonly object[] }
}

/** What is needed of the compiler, or of the several, that a dev server serves. */
interface ServedCompiler {
  hooks: Record<'done' | 'invalid' | 'watchRun' | 'watchClose', Hook>
}
interface Hook {
  intercept: (interceptor: { call?: (...built: Built) => void; register?: (tap: Tap) => Tap }) => void
}
interface Tap {
  name: string
  type: string
  fn: (...args: unknown[]) => unknown
}

/** What `done` is called with; where there are several compilers, those that have built. */
type Built = [stats: Stats, ...more: unknown[]]
type Announce = (...built: Built) => unknown

/** Shows the errors of the mock servers of the dev server that is starting. */
type Show = (mockServers: readonly MockServer[]) => void

const overlays = new WeakMap<object, Show>()

/**
 * Shows errors in fixture files in the overlay of webpack-dev-server, or of Rspack's dev server: in the pages that are
 * open and in those that are opened later, until they are mended.
 *
 * The pages get them as warnings of the build, since errors would stop hot and live reload. The build itself knows
 * nothing of them: nothing is built anew, no other plugin meets them, and in the terminal they stand once.
 *
 * @param compiler what the dev server serves, one compiler or several
 */
export function showInOverlay(compiler: object, mockServers: readonly MockServer[]): void {
  let show = overlays.get(compiler)
  if (!show) overlays.set(compiler, (show = createOverlay(compiler as ServedCompiler)))
  show(mockServers)
}

function createOverlay({ hooks }: ServedCompiler): Show {
  let mockServers: readonly MockServer[] = []
  let shown = '[]'
  /** None while there is a build: Rspack's stats are void then, and the build is announced anyway. None when it is over. */
  let lastBuilt: Built | undefined
  const announcers = new Set<Announce>()
  const dismissers = new Set<() => unknown>()

  const warnings = () =>
    mockServers.flatMap(overlayErrors).map(({ place, link, text }) => {
      // As webpack writes it, so that it can be clicked: some pages take the one, some the other.
      const file = place && !isAbsolute(place) ? `./${place}` : place
      return { file, moduleIdentifier: link, message: `[mock-api] ${text}` }
    })

  // A dev server announces a build to its pages where it taps `done`. The stats that it gets there it also keeps, for
  // the pages that are opened later.
  hooks.done.intercept({
    call(...built) {
      lastBuilt = built
    },
    register(tap) {
      if (tap.type !== 'sync' || !/dev-?(server|middleware)$/i.test(tap.name)) return tap
      const original = tap.fn as Announce
      const announce: Announce = (stats, ...more) => {
        const askForWarnings = () => {
          announcers.add(announce) // only who asks has pages to tell
          return warnings()
        }
        return original(withWarnings(stats, askForWarnings), ...more)
      }
      tap.fn = announce as Tap['fn'] // in place: type checkers keep the tap, to announce late what they find
      return tap
    },
  })
  const forget = () => (lastBuilt = undefined)
  hooks.watchRun.intercept({ call: forget })
  hooks.watchClose.intercept({ call: forget })
  hooks.invalid.intercept({
    call: forget,
    register(tap) {
      if (/dev-?server$/i.test(tap.name)) dismissers.add(tap.fn)
      return tap
    },
  })

  function update(): void {
    const text = JSON.stringify(warnings())
    if (text === shown) return
    shown = text
    if (!lastBuilt) return
    // Some pages add what they are told to what they show, and take it all away when a build begins.
    for (const dismiss of dismissers) dismiss()
    for (const announce of announcers) announce(...lastBuilt)
  }

  return (started) => {
    mockServers = started
    for (const { store } of started) {
      store.onReload(update)
      void store.ready.then(update)
    }
  }
}

/** The stats as they are, but for warnings that are in their JSON too. */
function withWarnings<T extends Stats>(stats: T, warnings: () => readonly object[]): T {
  return new Proxy(stats, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target)
      if (key === 'toJson') {
        return (options: unknown) => {
          const json = target.toJson(options)
          return { ...json, warnings: [...(json.warnings ?? []), ...warnings()] }
        }
      }
      // Of several compilers: pages of webpack-dev-server 6 look at what is theirs alone.
      if (key === 'stats') return (value as Stats[] | undefined)?.map((one) => withWarnings(one, warnings))
      // Rspack's have private fields, which a proxy does not.
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}
