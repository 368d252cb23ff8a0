import type { KnipConfig } from 'knip'

/** `npm run lint` finds files, exports and dependencies that nothing uses. Each exception has its reason. */
const config: KnipConfig = {
  workspaces: {
    '.': {
      entry: [
        // The entries of the package: tsup.config.ts computes their paths.
        'src/*.ts',
        'src/bundle/{entry,module-loader,routes-loader,runtime,worker-state}.ts',
        'src/plugin/{badge/badge,overlay/note}-loader.ts',
        'src/{service-worker/page/start,plugin/badge/badge,server/origins/page/start}.ts',
        // Stands in the build for another module (tsup.config.ts).
        'src/server/sockets/graphql-ws.shim.ts',
        // Imported by scripts/fixture-schema.ts, which finds them in their folder.
        'src/core/schema/*-schema.ts',
        // Each shape is listed by its name, in src/inspector/api/schemas.ts.
        'src/inspector/api/api-*.ts',
        // Bundled by test/e2e/any-origin.test.ts.
        'test/e2e/apollo-page.js',
        // What is started by name.
        'scripts/*.ts',
        'test/hostile/*.ts',
        'test/soak/*.mjs',
        'playground/*.config.{ts,mjs}',
        'docs/.vitepress/{config,theme/index,play/*.data}.ts',
        'docs/repository/*.paths.ts',
      ],
      project: ['**/*.{ts,tsx,mjs,js,cjs}'],
      // Scripts give the slow ones to scripts/slow-tests.ts.
      vitest: { config: ['vitest{,.slow,.scaffolds}.config.ts'] },
      ignore: [
        // Projects that a test copies into a temporary folder and installs there.
        'test/scaffolds/apps/**',
        'examples/*/**',
        // Stands before code blocks of the docs, or is imported by them (test/docs/type-project.ts).
        'test/docs/support/**',
        // Compiled by test/types.slow.test.ts.
        'test/types/**',
        // Projects with manifests of their own.
        'examples/**',
      ],
      ignoreDependencies: [
        // Loaded by its name from the folder of the project (src/server/node/graphiql.ts).
        '@graphql-yoga/render-graphiql',
        // Loaded from the folder of the project (src/loader/read/generate-items.ts).
        '@faker-js/faker',
        // Installed into a temporary folder by the test that uses them (test/cli/import/recorded.slow.test.ts).
        'json-server',
        // Imported by test/types/fixtures.ts.
        '@graphql-typed-document-node/core',
        // Required by unplugin, which is bundled.
        'webpack-virtual-modules',
        '@octokit/openapi',
      ],
      // Command of the operating system.
      ignoreBinaries: ['mkfifo'],
    },
    bench: {
      entry: ['*.mjs', '{subjects,workers}/*.mjs', 'lib/start-probe.mjs'],
      ignoreDependencies: [
        // Named in configs that lib/project.mjs writes.
        'vite-plugin-fake-server',
        'vite-plugin-mock-dev-server',
      ],
      ignoreBinaries: ['taskset'],
    },
  },
  ignoreIssues: {
    // A plugin is exported by name and as the default, since both are usual in configs.
    'src/{index,vite,webpack,rspack,rsbuild}.ts': ['duplicates'],
  },
}

export default config
