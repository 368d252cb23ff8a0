/* The frameworks: how each is started, and what is asked. */
import { createJiti } from 'jiti'

const { downloadedBrowsers, systemBrowsers } = await createJiti(import.meta.url).import(
  '../e2e/browser-places.ts',
)

const all = [
  'ownPage',
  'lastPage',
  'failingQuery',
  'rendered',
  'ownEndpoint',
  'ownNotFound',
  'once',
  'reload',
]

export const frameworks = [
  {
    name: 'sveltekit',
    package: '@sveltejs/kit',
    start: { package: 'vite', bin: 'vite', args: (port) => ['dev', ...at(port)] },
    page: { path: '/', text: 'A page of SvelteKit' },
    endpoint: { path: '/own', text: 'SvelteKit got a body' },
    announced: 1,
    checks: all,
  },
  {
    name: 'astro',
    package: 'astro',
    start: { package: 'astro', bin: 'astro', args: (port) => ['dev', ...at(port)] },
    page: { path: '/', text: 'A page of Astro' },
    endpoint: { path: '/own', text: 'Astro got a body' },
    announced: 0, // Astro prints its URLs itself
    checks: all,
  },
  {
    name: 'nuxt',
    package: 'nuxt',
    start: { package: 'nuxt', bin: 'nuxt', args: (port) => ['dev', ...at(port)] },
    page: { path: '/', text: 'A page of Nuxt' },
    endpoint: { path: '/own', text: 'Nuxt got a body' },
    announced: 1,
    checks: [...all, 'oneMiddleware'],
  },
  {
    name: 'vitest-browser',
    package: 'vitest',
    start: { package: 'vitest', bin: 'vitest', args: (port) => ['run', '--browser.api.port', String(port)] },
    environment: {
      CHROME_PATH: process.env.CHROME_PATH ?? [...systemBrowsers(), ...downloadedBrowsers()][0],
    },
    checks: ['testsInPage'],
  },
  {
    name: 'storybook',
    package: 'storybook',
    start: {
      package: 'storybook',
      bin: 'storybook',
      args: (port) => ['dev', '--ci', '--no-version-updates', ...at(port)],
    },
    page: { path: '/iframe.html', text: '<title>Storybook</title>' },
    announced: 1,
    checks: ['ownPage', 'lastPage', 'failingQuery', 'ownNotFound', 'once', 'reload'],
  },
]

function at(port) {
  return ['--host', '127.0.0.1', '--port', String(port)]
}
