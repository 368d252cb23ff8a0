import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, delimiter, join } from 'node:path'
import { words } from '../core/values/values.ts'
import type { Browser, BrowserType, LaunchOptions } from 'playwright-core'

const packages = ['playwright-core', 'playwright', '@playwright/test']
/** The first shows no windows, and takes half the processor time of the others. */
const commands = words('chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable')

/**
 * Launches a Chromium or Chrome: the given one, that in `CHROME_PATH`, Playwright's own, or one that is installed.
 *
 * @param root the folder of the project, which has Playwright
 * @throws Error that says how to get what is missing
 */
export async function launchBrowser(
  root: string,
  path = process.env['CHROME_PATH'],
): Promise<{ browser: Browser; name: string }> {
  const chromium = loadPlaywright(root)
  for (const options of launchOptions(path)) {
    const browser = await chromium
      .launch({ ...options, handleSIGINT: false, handleSIGTERM: false })
      .catch(() => undefined)
    const own = options.executablePath ? basename(options.executablePath) : (options.channel ?? commands[0]!)
    if (browser) return { browser, name: `${own} ${browser.version()}` }
  }
  throw new Error(
    path
      ? `No Chromium starts from ${path}. Correct --browser or CHROME_PATH.`
      : 'No Chromium or Chrome starts. Install one: npx playwright-core install chromium-headless-shell. Or name one that is there: --browser /path/to/chromium.',
  )
}

/** How each Chromium or Chrome is launched that may be on this machine, or the one at the path. */
export function launchOptions(path?: string): LaunchOptions[] {
  const places = path ? [{ executablePath: path }] : [{}, ...onPath(), { channel: 'chrome' }]
  return places.map((place) => ({ ...place, args: ['--disable-gpu'] }))
}

function loadPlaywright(root: string): BrowserType {
  for (const file of [join(root, 'resolve-from-here.js'), import.meta.url]) {
    const require = createRequire(file)
    for (const name of packages)
      try {
        return (require(name) as { chromium: BrowserType }).chromium
      } catch {
        // Try the next one.
      }
  }
  throw new Error(
    'A page is explored with Playwright. Install it first: npm install --save-dev playwright-core',
  )
}

function onPath(): LaunchOptions[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)
  return commands
    .flatMap((name) => folders.map((folder) => ({ executablePath: join(folder, name) })))
    .filter(({ executablePath }) => existsSync(executablePath))
}
