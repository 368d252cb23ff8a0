import { findBrowser } from './browser.ts'

/** Once for all tests that need a browser: two of them must not install one at the same time. */
export default async function setup(): Promise<void> {
  process.env['CHROME_PATH'] = await findBrowser()
}
