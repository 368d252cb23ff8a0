import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { connectBrowser } from './browser.ts'

/** A browser for the tests of a file or of a `describe`. */
export function useBrowser(): () => Browser {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await connectBrowser()
  })
  afterAll(() => browser?.close())
  return () => browser!
}
