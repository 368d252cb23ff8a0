/* A developer's session with the inspector. Needs `npm run build`, which `npm test` does first. */
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

it.each(hostsNamed('Vite 8 dev'))('a failing checkout is understood and answered: $name', ({ start }) =>
  checkoutSession(browser, start, 'vite'),
)
