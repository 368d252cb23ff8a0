import { diagnoseFile } from '../../src/core/diagnostics/file-texts.ts'
import type { MockServer } from '../../src/server/mock-server.ts'

/** A mock server that reports the given syntax errors in `a.yaml`. */
export function fakeMockServer() {
  const listeners: (() => void)[] = []
  const store = {
    current: { diagnostics: [] as object[] },
    ready: Promise.resolve(),
    onReload: (listener: () => void) => void listeners.push(listener),
  }
  return {
    mockServer: { store, options: { root: '/project', overlay: true } } as unknown as MockServer,
    reload(...reasons: string[]) {
      const place = { file: 'a.yaml', line: 1, column: 1 }
      store.current.diagnostics = reasons.map((reason) => diagnoseFile('fixture-syntax', place, { reason }))
      for (const listener of listeners) listener()
    },
  }
}
