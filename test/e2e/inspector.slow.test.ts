/* The session of inspector.test.ts on the other hosts. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, it } from 'vitest'
import { hostsNamed } from '../hosts/hosts.ts'
import { connectBrowser } from './browser.ts'
import { checkoutSession } from './checkout-session.ts'

let browser: Browser
beforeAll(async () => {
  browser = await connectBrowser()
})
afterAll(() => browser?.close())

it.each([
  ...hostsNamed('Vite 5 dev', 'Vite 6 dev', 'Vite 7 dev').map((host) => ({
    ...host,
    event: 'vite' as const,
  })),
  ...hostsNamed(
    'webpack-dev-server 5, Node API',
    'webpack-dev-server 6, Node API',
    'Rspack dev',
    'Rsbuild dev',
  ).map((host) => ({ ...host, event: 'others' as const })),
])('a failing checkout is understood and answered: $name', ({ start, event }) =>
  checkoutSession(browser, start, event),
)
