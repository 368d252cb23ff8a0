/* The lint rules that hold the rooms of src/ apart: a forbidden import is reported in each of them. */
import { readdirSync } from 'node:fs'
import { ESLint, Linter } from 'eslint'
import { expect, it } from 'vitest'

const eslint = new ESLint()
const linter = new Linter()

/** The rules about imports that hold for a file, without those that need its types. */
async function importProblems(file: string, specifier: string): Promise<number> {
  const { rules = {} } = (await eslint.calculateConfigForFile(file)) as Linter.Config
  const held = rules['no-restricted-imports']
  const config: Linter.Config[] = [{ rules: held ? { 'no-restricted-imports': held } : {} }]
  return linter.verify(`import ${JSON.stringify(specifier)}`, config).length
}

it.each<[file: string, forbidden: string, allowed: string]>([
  ['src/core/http/path.ts', '../../writer/fields.ts', './body.ts'],
  ['src/writer/fields.ts', '../wire/escape-html.ts', '../core/values/values.ts'],
  ['src/reader/read-data.ts', '../loader/locate.ts', '../writer/endpoint-path.ts'],
  ['src/wire/node/read-body.ts', '../../loader/paths.ts', '../../core/values/values.ts'],
  ['src/wire/web/read-web-body.ts', '../../server/limits.ts', '../../core/http/body.ts'],
  ['src/wire/web/read-web-body.ts', 'node:fs', '../../core/http/body.ts'],
  ['src/files/write-files.ts', '../loader/fixture-store.ts', '../core/values/values.ts'],
  ['src/openapi/documents.ts', '../loader/fixture-store.ts', '../files/paths.ts'],
  ['src/loader/fixture-store.ts', '../backend/backend.ts', '../openapi/documents.ts'],
  ['src/backend/backend.ts', '../inspector/api/api.ts', '../files/write-files.ts'],
  ['src/inspector/server/json.ts', '../../server/mock-server.ts', '../../backend/backend.ts'],
  ['src/server/mock-server.ts', '../plugin/vite/vite.ts', '../inspector/api/api.ts'],
  ['src/server/web/web-fetch.ts', '../../plugin/vite/vite.ts', '../../core/values/values.ts'],
  ['src/server/web/web-fetch.ts', '../../loader/paths.ts', '../../core/values/values.ts'],
  ['src/bundle/module-loader.ts', '../plugin/vite/vite.ts', '../server/mock-server.ts'],
  ['src/plugin/badge/badge-loader.ts', '../../cli/run.ts', 'unplugin'],
  ['src/intercept/intercept.ts', '../cli/run.ts', '../server/mock-server.ts'],
  ['src/intercept/intercept.ts', 'connect', '../client.ts'],
  ['src/service-worker/worker.ts', '../cli/run.ts', '../server/web/web-fetch.ts'],
  ['src/service-worker/worker.ts', 'node:fs', '../plugin/plugin-instance.ts'],
  ['src/explore/explore.ts', '../cli/run.ts', '../client.ts'],
])('%s may not import %s, and may import %s', async (file, forbidden, allowed) => {
  expect([await importProblems(file, forbidden), await importProblems(file, allowed)]).toEqual([1, 0])
})

it('every room has the rule', async () => {
  for (const { name } of readdirSync('src', { withFileTypes: true }).filter((one) => one.isDirectory())) {
    const { rules = {} } = (await eslint.calculateConfigForFile(`src/${name}/any.ts`)) as Linter.Config
    expect([name, Object.keys(rules)]).toEqual([name, expect.arrayContaining(['no-restricted-imports'])])
  }
})
