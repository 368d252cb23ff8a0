import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The folder of the starter templates: `fixtures/` of this package, found by its name from wherever this code runs. */
export const templateFolder = join(
  dirname(createRequire(import.meta.url).resolve('unplugin-mock-api/package.json')),
  'fixtures',
)
