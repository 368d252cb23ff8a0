import type { ModuleLimits } from '../module/load-module.ts'
import { createModuleLoader } from '../module/load-module.ts'
import { readFixture, type ReadFixture } from './read-fixture.ts'

/** Reads fixture files. It is imported with the first file: it brings the schema, and the compiler of selectors. */
export interface FixtureReader {
  /** See `readFixture`. */
  read: (path: string, note: (path: string) => void, wasFixture?: boolean) => Promise<ReadFixture>
  /** Forgets a module and all its importers, so that they are evaluated again. */
  forget: (path: string) => void | Promise<void>
}

/** @param keepsDefinitions whether routes keep their definitions */
export function createReader(root: string, limits: ModuleLimits, keepsDefinitions = false): FixtureReader {
  const modules = createModuleLoader(root, limits)
  return {
    read: (path, note, wasFixture) => readFixture(root, path, modules, note, wasFixture, keepsDefinitions),
    forget: modules.forget,
  }
}
