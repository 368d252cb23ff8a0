import { syncBuiltinESMExports } from 'node:module'
import { afterAll, beforeAll } from 'vitest'

/** Replaces a function of a built-in module for the tests of a file, also where it was imported by its name. */
export function replaceBuiltin<M extends object, K extends keyof M>(
  module: M,
  name: K,
  make: (actual: M[K]) => M[K],
): void {
  const actual = module[name]
  const set = (value: M[K]) => {
    module[name] = value
    syncBuiltinESMExports()
  }
  beforeAll(() => set(make(actual)))
  afterAll(() => set(actual))
}
