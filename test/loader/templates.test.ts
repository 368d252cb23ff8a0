import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { createFixtureFiles } from '../../src/loader/fixture-files.ts'

const packageRoot = fileURLToPath(new URL('../..', import.meta.url))

it.each([
  ['this package', packageRoot, 'fixtures/items.yaml'],
  ['the folder around it', dirname(packageRoot), `${basename(packageRoot)}/fixtures/items.yaml`],
  ['a folder elsewhere', join(packageRoot, 'src'), `${packageRoot.replaceAll('\\', '/')}fixtures/items.yaml`],
])('the positions name the files as seen from %s', async (_, root, file) => {
  const files = createFixtureFiles({
    project: { root },
    limits: {},
    keepsDefinitions: false,
    watch: () => {},
  })
  const routes = await files.readTemplates()
  expect(routes.at(-1)).toMatchObject({ name: 'items', source: { file, line: 6, column: 3 } })
})
