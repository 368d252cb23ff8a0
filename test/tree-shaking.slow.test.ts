/* What bundlers keep of the built package: nothing of what is not used, and setup files always. Needs `npm run build`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build as esbuild } from 'esbuild'
import { afterAll, describe, expect, it } from 'vitest'
import { createProjectInPackage, type TestProject } from './hosts/test-project.ts'
import { builds } from './hosts/module-builds.ts'

const unused = `
  import { createClient } from 'unplugin-mock-api/client'
  import { createFetchHandler } from 'unplugin-mock-api/fetch'
  import { defineFixture } from 'unplugin-mock-api/fixture'
  import { withMockApi } from 'unplugin-mock-api/storybook'
  export const answer = 42
`
const setup = `
  import 'unplugin-mock-api/vitest'
  export const answer = 42
`

const withEsbuild = async (root: string) => {
  await esbuild({
    entryPoints: [join(root, 'main.ts')],
    outfile: join(root, 'dist/main.mjs'),
    bundle: true,
    minify: true,
    format: 'esm',
    logLevel: 'silent',
    external: ['node:*'],
    tsconfigRaw: {}, // that of this repository leads to the sources
  })
}

const projects: TestProject[] = []
afterAll(() => projects.forEach((project) => project.close()))

async function bundle(build: (root: string) => Promise<void>, code: string): Promise<string> {
  const project = createProjectInPackage({ 'main.ts': code })
  projects.push(project)
  await build(project.root)
  const dist = join(project.root, 'dist')
  const names = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => /js$/.test(name))
  return names.map((name) => readFileSync(join(dist, name), 'utf8')).join('\n')
}

const all = { esbuild: withEsbuild, ...builds }
describe.each(Object.keys(all) as (keyof typeof all)[])('%s', (bundler) => {
  const build = (root: string) =>
    bundler === 'esbuild' ? withEsbuild(root) : builds[bundler]!(root, { plugin: false, minify: true })

  it('drops entries that are not used', async () => {
    const code = await bundle(build, unused)
    expect(code).toContain('42')
    expect(code).not.toMatch(/mock-api|mock-client|graphql/i)
    expect(code.length).toBeLessThan(2000)
  })

  it('keeps the setup file for Vitest', async () => {
    expect(await bundle(build, setup)).toContain('unplugin-mock-api')
  })
})
