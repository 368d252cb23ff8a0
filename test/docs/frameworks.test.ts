/* docs/hosts/frameworks.md has the files of test/frameworks, which `npm run test:frameworks` starts. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const page = read('docs/hosts/frameworks.md')
const blocks = [...page.matchAll(/^```\w+\n([^]*?)^```$/gm)].map(([, text]) => text!)

it.each([
  ['sveltekit', 'vite.config.js'],
  ['sveltekit', 'src/routes/rendered/+page.server.js'],
  ['astro', 'astro.config.mjs'],
  ['astro', 'src/pages/rendered.astro'],
  ['nuxt', 'nuxt.config.ts'],
  ['nuxt', 'app/pages/rendered.vue'],
  ['storybook', '.storybook/main.js'],
  ['vitest-browser', 'vitest.config.js'],
])('%s: %s', (framework, file) => {
  const name = new RegExp(`^(?://|<!--) ${file.replace(/[.+]/g, '\\$&')}(?: -->)?\n`, 'm')
  const shown = blocks.find((text) => name.test(text))?.replace(name, '')
  expect(shown, `a block for ${file}`).toBeDefined()
  expect(shown).toBe(
    essence(read(`test/frameworks/${framework}/${file.replace('nuxt.config.ts', 'nuxt.config.js')}`)),
  )
})

/** Without what only a test needs: no telemetry, and the browser of this machine. */
function essence(text: string): string {
  return text
    .replace(/^ *core: .*\n/m, '')
    .replace(/^\/\/ The browser that this machine has[^]*?\n\n/m, '')
    .replace(/playwright\(\{.*\}\)/, 'playwright()')
    .replace(/^\/\/ Nuxt answers.*\n/m, '')
}
