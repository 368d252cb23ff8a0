import type { Feature } from '../feature.ts'

/** Streams and WebSockets may wait for the answer of another route, which counts when it is due. */
export const emitAnswers: Feature = {
  written({ hub }, decision) {
    if (!hub.isHeard()) return
    const emit = () => hub.emitAnswer(decision)
    if (decision.wait === 0) return emit()
    const timer: ReturnType<typeof setTimeout> & { unref?: () => void } = setTimeout(emit, decision.wait)
    timer.unref?.()
  },
}
