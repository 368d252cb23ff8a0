/* docs/hosts/frameworks.md has the files of the projects that `npm run test:scaffolds` starts. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { bundlers } from '../../src/cli/init/project.ts'
import { editConfig } from '../../src/cli/init/edit-config.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const page = read('docs/hosts/frameworks.md') + read('docs/any-origin.md')
const blocks = [...page.matchAll(/^```\w+\n([^]*?)^```$/gm)].map(([, text]) => text!)

it.each([
  ['sveltekit-served', 'src/routes/rendered/+page.server.js'],
  ['astro-by-hand', 'astro.config.mjs'],
  ['astro-served', 'src/pages/rendered.astro'],
  ['nuxt-by-hand', 'nuxt.config.ts'],
  ['nuxt-served', 'app/pages/rendered.vue'],
  ['nuxt-served', 'server/plugins/mock-api.js'],
  ['tanstack-start-nitro', 'src/server.js'],
  ['react-router-served', 'app/routes/rendered.jsx'],
  ['next-by-hand', 'instrumentation.js'],
  ['storybook', '.storybook/main.js'],
  ['vitest-browser', 'vitest.config.js'],
])('%s: %s', (app, file) => {
  expect(shown(file)).toBe(
    essence(read(`test/scaffolds/apps/${app}/${file.replace('nuxt.config.ts', 'nuxt.config.js')}`)),
  )
})

it("SvelteKit's config is what init makes of it", () => {
  const vite = bundlers.find(({ name }) => name === 'Vite')!
  const before = `import { sveltekit } from '@sveltejs/kit/vite'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [sveltekit()] })
`
  const lines = (text: string) => text.split('\n').sort()
  const edited = editConfig(before, 'vite.config.js', vite) as { text: string }
  expect(lines(shown('vite.config.js'))).toEqual(lines(edited.text))
})

function shown(file: string): string {
  const name = new RegExp(`^(?://|<!--) ${file.replace(/[.+]/g, '\\$&')}(?: -->)?\n`, 'm')
  const block = blocks.find((text) => name.test(text))
  expect(block, `a block for ${file}`).toBeDefined()
  return block!.replace(name, '')
}

/** Without what only a test needs: no telemetry, and the browser of this machine. */
function essence(text: string): string {
  return text
    .replace(/^ *core: .*\n/m, '')
    .replace(/^\/\/ The browser that this machine has[^]*?\n\n/m, '')
    .replace(/playwright\(\{.*\}\)/, 'playwright()')
    .replace(/^\/\/ Nuxt answers.*\n/m, '')
}
