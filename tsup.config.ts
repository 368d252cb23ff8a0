import { defineConfig } from 'tsup'

export default defineConfig({
  entry: [
    'src/index.ts',
    'src/vite.ts',
    'src/webpack.ts',
    'src/rspack.ts',
    'src/rsbuild.ts',
    'src/connect.ts',
    'src/fetch.ts',
    'src/fixture.ts',
  ],
  format: ['esm', 'cjs'],
  target: 'node20.19',
  // tsup sets `baseUrl` for its type build, which TypeScript 6 calls deprecated.
  dts: { compilerOptions: { ignoreDeprecations: '6.0' } },
  clean: true,
  splitting: true,
  shims: true, // `import.meta.url` in the CommonJS build
})
