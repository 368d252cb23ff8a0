import { expect, it } from 'vitest'
import { bundlers } from '../../../src/cli/init/project.ts'
import { editConfig, editTsconfig } from '../../../src/cli/init/edit-config.ts'

const bundler = (name: string) => bundlers.find((one) => one.name === name)!
const edit = (text: string, name = 'vite.config.ts', of = 'Vite') => editConfig(text, name, bundler(of))

it.each<[what: string, before: string, after: string, name?: string, of?: string]>([
  [
    'one line',
    `import { defineConfig } from 'vite'\nexport default defineConfig({ plugins: [react()] })\n`,
    `import { defineConfig } from 'vite'\nimport mockApi from 'unplugin-mock-api/vite'\nexport default defineConfig({ plugins: [react(), mockApi()] })\n`,
  ],
  [
    'several lines, with a comment behind the last plugin',
    `import a from "a";\n\nexport default {\n    plugins: [\n        a(), // fast\n    ],\n} satisfies UserConfig;\n`,
    `import a from "a";\nimport mockApi from "unplugin-mock-api/vite";\n\nexport default {\n    plugins: [\n        a(), // fast\n        mockApi(),\n    ],\n} satisfies UserConfig;\n`,
  ],
  [
    'several lines without a comma at the end',
    `import a from 'a'\nexport default {\n  plugins: [\n    a() // fast\n  ]\n}\n`,
    `import a from 'a'\nimport mockApi from 'unplugin-mock-api/vite'\nexport default {\n  plugins: [\n    a(), // fast\n    mockApi()\n  ]\n}\n`,
  ],
  [
    'no plugins yet',
    `import { defineConfig } from 'vite'\n\nexport default defineConfig(({ mode }) => ({\n  base: mode,\n}))\n`,
    `import { defineConfig } from 'vite'\nimport mockApi from 'unplugin-mock-api/vite'\n\nexport default defineConfig(({ mode }) => ({\n  base: mode,\n  plugins: [mockApi()],\n}))\n`,
  ],
  [
    'an empty object, and no import',
    `// The config.\n\n/** @type {import('vite').UserConfig} */\nexport default {}\n`,
    `// The config.\n\nimport mockApi from 'unplugin-mock-api/vite'\n\n/** @type {import('vite').UserConfig} */\nexport default {\n  plugins: [mockApi()],\n}\n`,
  ],
  ['an empty list', `export default { plugins: [] }`, `import mockApi from 'unplugin-mock-api/vite'\n\nexport default { plugins: [mockApi()] }`],
  [
    'a filtered list in a variable',
    `const config = { plugins: [a && b()].filter(Boolean) }\nexport default config\n`,
    `import mockApi from 'unplugin-mock-api/vite'\n\nconst config = { plugins: [a && b(), mockApi()].filter(Boolean) }\nexport default config\n`,
  ],
  [
    'a list in a variable',
    `const plugins = [a()]\nexport default { plugins }\n`,
    `import mockApi from 'unplugin-mock-api/vite'\n\nconst plugins = [a(), mockApi()]\nexport default { plugins }\n`,
  ],
  [
    'line breaks of Windows',
    `import a from 'a'\r\nexport default {\r\n  plugins: [\r\n    a(),\r\n  ],\r\n}\r\n`,
    `import a from 'a'\r\nimport mockApi from 'unplugin-mock-api/vite'\r\nexport default {\r\n  plugins: [\r\n    a(),\r\n    mockApi(),\r\n  ],\r\n}\r\n`,
  ],
  [
    'a name that is taken',
    `import { mockApi } from './mock'\nexport default { plugins: [mockApi()] }\n`,
    `import { mockApi } from './mock'\nimport mockApiPlugin from 'unplugin-mock-api/vite'\nexport default { plugins: [mockApi(), mockApiPlugin()] }\n`,
  ],
  [
    'a comment behind the last import',
    `import a from 'a' // eslint-disable-line\nexport default { plugins: [] }\n`,
    `import a from 'a' // eslint-disable-line\nimport mockApi from 'unplugin-mock-api/vite'\nexport default { plugins: [mockApi()] }\n`,
  ],
  [
    'comments that TypeScript only knows at the beginning',
    `// @ts-check\n/// <reference types="vitest/config" />\n/** The config. */\nexport default { plugins: [] }\n`,
    `// @ts-check\n/// <reference types="vitest/config" />\nimport mockApi from 'unplugin-mock-api/vite'\n\n/** The config. */\nexport default { plugins: [mockApi()] }\n`,
  ],
  [
    'CommonJS',
    `'use strict';\nconst path = require('path');\n\nmodule.exports = {\n  entry: './a.js',\n};\n`,
    `'use strict';\nconst path = require('path');\nconst mockApi = require('unplugin-mock-api/webpack');\n\nmodule.exports = {\n  entry: './a.js',\n  plugins: [mockApi()],\n};\n`,
    'webpack.config.js',
    'webpack',
  ],
  [
    'a function of CommonJS with one return',
    `const config = { plugins: [] }\nmodule.exports = (env) => {\n  config.mode = env\n  return config\n}\n`,
    `const mockApi = require('unplugin-mock-api/webpack')\n\nconst config = { plugins: [mockApi()] }\nmodule.exports = (env) => {\n  config.mode = env\n  return config\n}\n`,
    'webpack.config.cjs',
    'webpack',
  ],
  [
    'Nuxt',
    `// https://nuxt.com/docs/api/configuration/nuxt-config\nexport default defineNuxtConfig({\n  devtools: { enabled: true },\n})\n`,
    `import mockApi from 'unplugin-mock-api/vite'\n\n// https://nuxt.com/docs/api/configuration/nuxt-config\nexport default defineNuxtConfig({\n  devtools: { enabled: true },\n  vite: { plugins: [mockApi({ root: import.meta.dirname })] },\n})\n`,
    'nuxt.config.ts',
    'Nuxt',
  ],
  [
    'Astro, which has Vite plugins already',
    `import a from 'a';\nexport default defineConfig({\n  vite: {\n    plugins: [a()]\n  }\n});\n`,
    `import a from 'a';\nimport mockApi from 'unplugin-mock-api/vite';\nexport default defineConfig({\n  vite: {\n    plugins: [a(), mockApi()]\n  }\n});\n`,
    'astro.config.mjs',
    'Astro',
  ],
])('%s', (_, before, after, name, of) => {
  expect(edit(before, name, of)).toMatchObject({ text: after })
  // A second run changes nothing.
  expect(edit(after, name, of)).toMatchObject({ isDone: true })
}) // prettier-ignore

it.each([
  [`export default { plugins: [`, 'it has a syntax error'],
  [`export default [{ plugins: [] }]`, 'it does not export one object'],
  [`export default createConfig({ plugins: [] })`, 'it does not export one object'],
  [`export default () => { if (a) return { plugins: [] }; return { plugins: [] } }`, 'it does not export one object'],
  [`export default mergeConfig(base, { plugins: [] })`, 'it does not export one object'],
  [`export const plugins = []`, 'it does not export one object'],
  [`export default { plugins }`, '"plugins" is not an array literal'],
  [`export default { plugins: [...a].concat(b) }`, '"plugins" is not an array literal'],
  [`export default { plugins: [, a()] }`, '"plugins" has a gap'],
  [`export default { ...base }`, '"plugins" may come from the spread in it'],
  [`export default { plugins: [], ...base }`, '"plugins" may come from the spread in it'],
  [`export default { [key]: [] }`, '"plugins" may come from the computed key in it'],
])('%s is left alone: %s', (text, reason) => {
  expect(edit(text)).toMatchObject({ reason })
}) // prettier-ignore

it('a list behind a spread is the one that counts', () => {
  expect(edit(`export default { ...base, plugins: [] }`)).toHaveProperty('text')
})

it.each<[root: string, expected: string | false | undefined]>([
  [`root: 'app'`, 'app'],
  [`root: __dirname`, undefined],
  [`root: resolve('app')`, false],
  [`base: '/'`, undefined],
])('%s', (root, expected) => {
  expect(edit(`export default { ${root} }`).root).toBe(expected)
})

it.each<[text: string, expected: string | undefined]>([
  ['{ "include": [] }', '{ "include": ["fixtures"] }'],
  ['{ "include": [\n  "src",\n  "vite.config.ts", // a\n] }', '{ "include": [\n  "src",\n  "vite.config.ts", // a\n  "fixtures",\n] }'],
  ['{ "include": ["./fixtures/**/*.ts"] }', '{ "include": ["./fixtures/**/*.ts", "fixtures"] }'],
  ['{ "include": ["./fixtures/**/*"] }', undefined],
  ['{ "include": ["**/*.ts", "src"] }', undefined],
  ['{ "include": ["."] }', undefined],
  ['{ "files": [] }', undefined],
  ['{ "include": [', undefined],
])('tsconfig: %s', (text, expected) => {
  expect(editTsconfig(text, 'fixtures')).toBe(expected)
}) // prettier-ignore
