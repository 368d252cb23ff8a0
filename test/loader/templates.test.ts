import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { readTemplates } from '../../scripts/templates.ts'
import { templateRoutes } from '../../src/loader/template-routes.ts'
import { findTemplates } from '../../src/loader/templates.ts'

const packageRoot = fileURLToPath(new URL('../..', import.meta.url))

it('the compiled templates are what the files in fixtures/ list, with every position', async () => {
  expect(templateRoutes, 'npx jiti scripts/templates.ts').toEqual(await readTemplates())
})

it.each([
  ['this package', packageRoot, 'fixtures/items.yaml'],
  ['the folder around it', dirname(packageRoot), `${basename(packageRoot)}/fixtures/items.yaml`],
  ['a folder elsewhere', join(packageRoot, 'src'), `${packageRoot.replaceAll('\\', '/')}fixtures/items.yaml`],
])('the positions name the files as seen from %s', (_, root, file) => {
  expect(findTemplates(root).at(-1)).toMatchObject({ name: 'items', source: { file, line: 6, column: 3 } })
})
