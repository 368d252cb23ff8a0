import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'

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
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex:
                '^(?!\\./[^/]+\\.ts$|(?:valibot|graphql|graphql/.*|rou3|rou3/compiler|cookie|leven|re2js|sift)$)',
              message: 'core/ imports only core/ and small pure libraries.',
            },
          ],
        },
      ],
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
  {
    // Hosts and the loader know the core, and never each other's entries.
    files: ['src/loader/**'],
    rules: {
      'no-restricted-imports': ['error', { patterns: ['**/hosts/*', 'vite', 'connect', 'unplugin'] }],
    },
  },
)
