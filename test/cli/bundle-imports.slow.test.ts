/* What modules of an application import, in a bundle for Cloudflare. Needs `npm run build`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Miniflare, type MiniflareOptions } from 'miniflare'
import { expect, it, onTestFinished } from 'vitest'
import { files, routeFiles, rows, tsconfig } from '../hosts/module-world-rows.ts'
import { projectOfTest } from '../hosts/of-test.ts'
import { createProjectInPackage } from '../hosts/test-project.ts'
import { runIn } from './test-terminal.ts'

it('a bundle imports what the application does', async () => {
  const { 'package.json': manifest, ...sources } = files
  // Vite leaves decorators as they are unless TypeScript's config says which ones they are.
  const decorators =
    '{ "extends": "../tsconfig.app.json", "compilerOptions": { "experimentalDecorators": true } }'
  const project = projectOfTest(
    { ...sources, ...tsconfig, 'src/tsconfig.json': decorators, ...routeFiles },
    createProjectInPackage,
  )
  project.write('package.json', manifest)
  const ran = await runIn(project.root, ['bundle', '--out', 'edge/worker.mjs'])
  expect([ran.stderr, ran.exitCode]).toEqual(['', 0])
  const script = readFileSync(join(project.root, 'edge/worker.mjs'), 'utf8')
  const options: object = { modules: true, script, compatibilityDate: '2026-03-01', port: 0 }
  const worker = new Miniflare(options as MiniflareOptions)
  onTestFinished(() => worker.dispose())
  const { origin } = await worker.ready
  for (const [index, [row, , , expected]] of rows.entries()) {
    const answer = await fetch(`${origin}/value/${index}`)
    expect([row, await answer.json()]).toEqual([row, { value: expected }])
  }
})
