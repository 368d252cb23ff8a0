/*
 * Writes src/loader/template-routes.ts: the starter templates as the loader reads them, so that a start without fixture files
 * loads no YAML parser and no schema. The files in fixtures/ are the source, which users read and copy.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { MockApiError } from '../src/core/diagnostics/format.ts'
import type { Route } from '../src/core/fixture/route.ts'
import { createModuleLoader } from '../src/loader/module/load-module.ts'
import { readFixture } from '../src/loader/read/read-fixture.ts'

const folder = fileURLToPath(new URL('../fixtures', import.meta.url))
const target = fileURLToPath(new URL('../src/loader/template-routes.ts', import.meta.url))

/** In the order in which the loader reads them: by path. */
const files = ['graphql.yaml', 'items.yaml']

/** The routes as the files list them now. Their positions name the file within the folder. */
export async function readTemplates(): Promise<Route[]> {
  const modules = createModuleLoader(folder)
  const routes: Route[] = []
  // One after the other: jiti can't import the same module twice at the same time.
  for (const file of files) {
    const read = await readFixture({ root: folder }, join(folder, file), modules)
    if (read.diagnostics.length > 0) throw new MockApiError(read.diagnostics)
    routes.push(...read.routes)
  }
  return routes
}

export async function writeTemplates(): Promise<void> {
  const code = `import type { Route } from '../core/fixture/route.ts'

/* Written by scripts/templates.ts from the files in fixtures/, which each build does first. */

export const templateRoutes: readonly Route[] = ${JSON.stringify(await readTemplates())}
`
  writeFileSync(target, await format(code, { ...(await resolveConfig(target)), parser: 'typescript' }))
}

if (process.argv[1]?.endsWith('templates.ts')) await writeTemplates()
