import { canonicalTarget } from '../core/http/host-name.ts'
import type { Report } from '../core/diagnostics/diagnostic.ts'
import { loadGraphQL } from '../core/graphql/later.ts'
import { loadPatterns } from '../core/select/pattern.ts'
import type { ResolvedOptions } from '../core/options/resolve-options.ts'
import { plural } from '../core/values/describe-value.ts'
import type { FixtureStore } from '../loader/fixture-store.ts'
import { displayPath, isInside } from '../files/paths.ts'
import { recordingFolder } from './recorded-files.ts'
import type { Recording } from './recording.ts'

export type RecordingSwitch = ReturnType<typeof createRecordingSwitch>

/** Starts and stops recordings. The code that records is loaded with the first one. */
export function createRecordingSwitch(options: ResolvedOptions, store: FixtureStore, report: Report) {
  const { record, logger } = options
  const listeners: (() => void)[] = []
  const changed = () => listeners.forEach((listener) => listener())
  let current: Recording | undefined
  let last: Recording | undefined
  let target = record.target
  let starting: Promise<void> | undefined

  async function begin(origin: string | undefined): Promise<void> {
    const [{ Recording }] = await Promise.all([import('./recording.ts'), loadPatterns(), loadGraphQL()])
    // They are secrets of that server.
    const isTarget = origin === undefined && originOf(target) === originOf(record.target)
    const headers = isTarget ? record.headers : {}
    const without = Object.keys(record.headers).length > Object.keys(headers).length
    const settings = { ...record, target: origin ?? target, headers }
    current = last = new Recording(options, settings, report, origin)
    const { files } = current
    // Routes that the developer wrote answer; all other requests go to the backend again.
    await store.leaveOut((file) => isInside(files.folder, file) && files.isRecorded(file))
    logger.info(
      `recording the answers of ${settings.target ?? 'the backend'}${without ? ', without the "headers" of the option "record", which are for its "target"' : ''}. Use the application, then end the recording in the inspector.`,
    )
  }

  /** Writes what is pending; then the recorded routes answer. */
  async function stop(): Promise<void> {
    await starting
    const stopped = current
    if (!stopped) return
    current = undefined
    stopped.stop()
    await store.leaveOut(undefined)
    const { answers, files } = stopped.result
    const next = files.length > 0 ? ', which answer from now on' : ''
    const lost = stopped.unwritten.length
    const but = lost > 0 ? `; ${plural(lost, 'file')} could not be written` : ''
    logger.info(`recorded ${plural(answers, 'answer')} in ${plural(files.length, 'file')}${next}${but}`)
    changed()
  }

  return {
    get current() {
      return current
    },
    /** The current recording, if it is of this origin; `''` is the backend. */
    of: (origin: string) => ((current?.origin ?? '') === origin ? current : undefined),
    /** Where answers come from; `undefined` for the dev server's own proxy. */
    get target() {
      return target
    },
    get starting() {
      return starting
    },
    folder: displayPath(options.root, recordingFolder(options)),
    get result() {
      return last?.result
    },
    /** @param origin another one than the backend, which pages ask */
    async start(given?: string, origin?: string): Promise<void> {
      await stop()
      if (origin === undefined) target = given === undefined ? record.target : canonicalTarget(given)
      starting = begin(origin).finally(() => (starting = undefined))
      await starting
      changed()
    },
    stop,
    onChange: (listener: () => void) => void listeners.push(listener),
  }
}

function originOf(target: string | undefined): string | undefined {
  return target && new URL(target).origin
}
