import { resolve } from 'node:path'
import { resolveOptions } from '../../core/options/options.ts'
import { formatDiagnostic } from '../../core/diagnostics/format.ts'
import { createFixtureStore } from '../../loader/fixture-store.ts'
import { summarise } from '../../loader/fixture-state.ts'
import { exitCodes, type ExitCode } from '../exit-code.ts'
import type { Terminal } from '../terminal.ts'

export interface CheckOptions {
  root?: string
  fixtures: string[]
}

/** Reads all fixture files as a dev server does, and reports what is wrong with them. */
export async function check(terminal: Terminal, { root = '.', fixtures }: CheckOptions): Promise<ExitCode> {
  const store = createFixtureStore(
    resolveOptions(
      { fixtures, watch: false, logLevel: 'silent' },
      { root: resolve(terminal.cwd, root), logger: console },
    ),
  )
  await store.ready
  await store.close()
  const { diagnostics } = store.current!
  for (const diagnostic of diagnostics) terminal.print(`${formatDiagnostic(diagnostic)}\n`)
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  terminal.print(`${summarise(store.current!)}: ${errors} errors, ${diagnostics.length - errors} warnings`)
  return errors > 0 ? exitCodes.failed : exitCodes.fine
}
