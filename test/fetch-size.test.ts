/* What `createFetchHandler` adds to a bundle, as the README says it. Needs `npm run build`. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { expect, it } from 'vitest'

interface Chunk {
  type: string
  fileName: string
  code: string
  isEntry: boolean
  imports: string[]
}

/** Minified, with all that is loaded at once: neither RE2 nor graphql-js, which the first request that needs them loads. */
async function bundledSize(): Promise<number> {
  const { output } = (await build({
    root: fileURLToPath(new URL('..', import.meta.url)),
    configFile: false,
    logLevel: 'silent',
    publicDir: false,
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      rollupOptions: { input: 'dist/fetch.js', preserveEntrySignatures: 'strict' },
    },
  })) as unknown as { output: Chunk[] }
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]))
  const loaded = new Set(output.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName))
  for (const name of loaded) for (const imported of chunks.get(name)!.imports) loaded.add(imported)
  return [...loaded].reduce((sum, name) => sum + gzipSync(chunks.get(name)!.code).length, 0)
}

it('is as large as the README says', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const [, stated] = /adds (\d+) KiB \(gzipped\) to a bundle/.exec(readme) ?? []
  expect(Math.abs((await bundledSize()) / 1024 - Number(stated)), 'KiB more or less').toBeLessThan(3)
})
