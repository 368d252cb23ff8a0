/*
 * What users load of the built package. A change that needs more raises the number here, with a line that says why.
 * Needs `npm run build`. `BUDGETS=1` prints what each has.
 */
import { basename, join } from 'node:path'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

interface Budget {
  /** Bytes, minified. */
  bytes: number
  gzip: number
  /** Whether packages of others count. */
  withPackages?: boolean
}

const entries: Record<string, Budget> = {
  // A test calls the control API: the texts of its errors are half of it.
  client: { bytes: 6_500, gzip: 3_100, withPackages: true },
  // Matching and answering; GraphQL, RE2 and schemas are left for what asks for them. The APIs of language models are 11 kB
  // of it.
  fetch: { bytes: 337_000, gzip: 126_500, withPackages: true },
  // The same in a worker, which reads its routes from one module, and can't load GraphQL and Socket.IO later.
  'service-worker': { bytes: 400_000, gzip: 147_500, withPackages: true },
  // As fetch, without packages that the application has already. Answers change scenarios (`then`).
  msw: { bytes: 341_000, gzip: 128_500 },
  // At the start of Vite; the mock server follows with the first dev server. What fixtures import is read off its config. Frameworks
  // that print no addresses show the inspector's with the first request.
  vite: { bytes: 36_000, gzip: 14_900 },
}

it.each(Object.entries(entries))('%s loads at most what its budget says', async (name, budget) => {
  const packages = budget.withPackages ? 'bundle' : 'external'
  const { outputFiles, metafile } = await build({
    entryPoints: [`dist/${name}.js`],
    outdir: 'out',
    ...{ bundle: true, minify: true, splitting: true, write: false, metafile: true, format: 'esm' },
    ...{ packages, external: ['node:*'] },
    logLevel: 'error',
    tsconfigRaw: {},
  })
  const { outputs } = metafile
  const loaded = new Set(
    Object.keys(outputs).filter((file) => outputs[file]!.entryPoint === `dist/${name}.js`),
  )
  for (const file of loaded)
    for (const { path, kind } of outputs[file]!.imports)
      if (kind === 'import-statement' && outputs[path]) loaded.add(path)
  const names = [...loaded].map((file) => basename(file))
  const parts = outputFiles.filter(({ path }) => names.includes(basename(path)))
  expectWithin(name, Buffer.concat(parts.map(({ contents }) => contents)), budget)
})

it.each<[file: string, budget: Budget]>([
  // Preact, the editor, which describes keys and completes YAML and JSON, and all views: nothing is loaded later. The
  // switches say which answer has changed a scenario.
  ['inspector.js', { bytes: 177_000, gzip: 61_200 }],
  ['inspector.css', { bytes: 15_000, gzip: 4_600 }],
])('the page of the inspector: %s', (file, budget) => {
  expectWithin(file, readFileSync(join('dist/inspector', file)), budget)
})

function expectWithin(name: string, text: Buffer, { bytes, gzip }: Budget): void {
  const zipped = gzipSync(text).length
  if (process.env['BUDGETS']) console.log(`${name}: ${text.length} bytes, ${zipped} with gzip`)
  expect(text.length).toBeLessThanOrEqual(bytes)
  expect(zipped).toBeLessThanOrEqual(gzip)
  // A budget that is far away tells nobody of what has grown.
  expect(text.length).toBeGreaterThan(bytes * 0.9)
}
