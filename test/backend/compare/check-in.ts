import { resolveOptions } from '../../../src/core/options/resolve-options.ts'
import {
  checkAgainst,
  type AgainstOptions,
  type ComparedWithBackend,
} from '../../../src/cli/check/check-against.ts'
import { createLocate } from '../../../src/loader/locate.ts'
import { readFixtures } from '../../../src/cli/places.ts'
import type { Terminal } from '../../../src/cli/terminal.ts'

/** Compares the fixtures in a folder with a backend, as fast as it answers. */
export async function checkIn(
  root: string,
  origin: string | true,
  given: Partial<AgainstOptions> = {},
  more: Partial<Terminal> = {},
): Promise<ComparedWithBackend> {
  const logger = { info() {}, warn() {}, error() {} }
  const options = resolveOptions({ watch: false }, { root, logger })
  const { routes } = await readFixtures(options)
  const terminal = {
    ...{ cwd: root, isInteractive: false, print() {}, note() {} },
    ...{ style: (_: unknown, text: string) => text, confirm: () => Promise.resolve(false) },
    ...more,
  }
  const against = { against: origin, ...given }
  const pace = { atOnce: 8, perSecond: 1e6 }
  return checkAgainst(terminal, routes, options, against, createLocate(root), pace)
}
