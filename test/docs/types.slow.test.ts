/* TypeScript and JavaScript of README.md and docs/ fit the types of the built package. Needs `npm run build`. */
import { expect, it } from 'vitest'
import { createProjectInPackage } from '../hosts/test-project.ts'
import { diagnosticsOf } from './data.ts'
import { allBlocks, blocksOf, placeOf } from './pages.ts'
import { sourcesOf, typeErrorsOf } from './type-project.ts'

it('the examples of all pages have no type errors', () => {
  const errors = typeErrorsOf(allBlocks)
  expect(errors, errors.join('\n')).toEqual([])
})

const fixtures = allBlocks.filter(({ file }) => /^(?:fixtures|mocks)\/.*\.[cm]?[jt]s$/.test(file ?? ''))
it.each(fixtures.map((block) => [placeOf(block), block] as const))(
  'the fixture file at %s loads without a diagnostic',
  async (_, { page, file, text, markers }) => {
    // It may read data that the page shows too.
    const data = allBlocks.filter((block) => block.page === page && block.language === 'json' && block.file)
    const shown = Object.fromEntries(data.map((block) => [block.file!, block.text]))
    const project = createProjectInPackage({ ...shown, [file!]: text })
    const found = await diagnosticsOf(project.root, file!)
    project.close()
    expect(found.map(({ code }) => code)).toEqual(markers.get('wrong')?.split(/, */) ?? [])
  },
)

it('an error is reported at its page and line, in a block that continues another one too', () => {
  const page = [
    'Text.',
    '```ts [vite.config.ts]',
    "import mockApi from 'unplugin-mock-api/vite'",
    "export const plugin = mockApi({ bas: '/api' })",
    '```',
    '<!-- continues -->',
    '```ts',
    'plugin.nme',
    '```',
    '```ts',
    "import { plugin } from './vite.config'",
    'const name: number = plugin.name',
    '```',
  ].join('\n')
  const errors = typeErrorsOf(blocksOf('docs/example.md', page))
  const places = errors.map((error) => error.slice(0, error.indexOf(' ')))
  expect(places.sort()).toEqual(['docs/example.md:12', 'docs/example.md:4', 'docs/example.md:8'])
})

it('of components, the scripts are checked', () => {
  const vue =
    '```vue\n<template>{{ answer }}</template>\n<script setup lang="ts">\nconst answer = 1\n</script>\n```'
  const [source] = sourcesOf(blocksOf('docs/example.md', vue))
  expect(source).toMatchObject({ path: 'example/block-1.ts', text: '\n\nconst answer = 1\n' })
})
