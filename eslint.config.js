import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'

/** What core/ may import. The whole of graphql-js costs each start 60 ms, so that only what is loaded lazily may. */
function pureImports(own, mayImportGraphQL = false) {
  const libraries = 'valibot|graphql|graphql/.*|rou3|rou3/compiler|cookie|leven|re2js|sift'
  const pure = {
    regex: `^(?!${own}[^/]+\\.ts$|(?:${libraries})$)`,
    message: 'core/ imports only core/ and small pure libraries.',
  }
  const small = {
    regex: '^graphql$',
    allowTypeImports: true,
    message: 'Import the module of graphql-js that is needed.',
  }
  const patterns = mayImportGraphQL ? [pure] : [pure, small]
  return { '@typescript-eslint/no-restricted-imports': ['error', { patterns }] }
}

export default defineConfig(
  globalIgnores(['dist', 'coverage', 'artifacts', '**/*.js', '**/*.mjs']),
  tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.json', './playground/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-base-to-string': 'off', // it takes any narrowed unknown for an object
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
  {
    // core/ is pure: plain data in, plain data out. It knows no file, no clock and no host.
    files: ['src/core/**'],
    rules: {
      ...pureImports('\\./(?:graphql/)?'),
      'no-restricted-globals': [
        'error',
        ...[
          'process',
          'Buffer',
          'console',
          'setTimeout',
          'setInterval',
          'setImmediate',
          'performance',
          'fetch',
        ].map((name) => ({ name, message: 'core/ is pure.' })),
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now' },
        { object: 'Math', property: 'random' },
      ],
    },
  },
  { files: ['src/core/graphql/**'], rules: pureImports('\\.{1,2}/') },
  { files: ['src/core/graphql-schema/**'], rules: pureImports('\\.{1,2}/(?:graphql/)?', true) },
  {
    // Hosts and the loader know the core, and never each other's entries.
    files: ['src/loader/**'],
    rules: {
      'no-restricted-imports': ['error', { patterns: ['**/hosts/*', 'vite', 'connect', 'unplugin'] }],
    },
  },
)
