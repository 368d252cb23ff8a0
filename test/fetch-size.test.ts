/* What `createFetchHandler` adds to a bundle, as docs/hosts/fetch.md and the README say it. Needs `npm run build`. */
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { expect, it } from 'vitest'
import { readPage } from './docs/pages.ts'

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

it('is as large as the pages say', async () => {
  const size = (await bundledSize()) / 1024
  for (const page of ['README.md', 'docs/hosts/fetch.md']) {
    const [, stated] = /adds (\d+) KiB \(gzipped\) to a\s+bundle/.exec(readPage(page)) ?? []
    expect(Math.abs(size - Number(stated)), `KiB more or less than ${page} says`).toBeLessThan(3)
  }
})
