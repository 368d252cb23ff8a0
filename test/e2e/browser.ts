import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { chromium, type Browser, type BrowserServer, type Page } from 'playwright-core'
import { launchOptions } from '../../src/explore/launch-browser.ts'

const MINUTE = 60_000

const instructions = `No Chromium or Chrome starts on this machine. Do one of these, and run the tests again:
  Debian: sudo apt-get install chromium-headless-shell
  elsewhere: npx playwright-core install --with-deps chromium-headless-shell
  with a browser that is installed: CHROME_PATH=/path/to/its/executable npm test`

/**
 * A browser for a test file: a connection to the one that `setup.ts` has launched, since launching one takes longer than most
 * tests. The file sees its own contexts and pages only, and `close` closes just those.
 */
export function connectBrowser(): Promise<Browser> {
  const endpoint = process.env['BROWSER_ENDPOINT']
  if (!endpoint) throw new Error('BROWSER_ENDPOINT is not set. Vitest sets it in test/e2e/setup.ts.')
  return chromium.connect(endpoint)
}

/**
 * Launches the Chromium or Chrome that CHROME_PATH names, or one that is found; installs one where the machine has none.
 * Playwright does so without Chromium's sandbox, which does not start as root and in many containers.
 */
export async function launchServer(): Promise<BrowserServer> {
  const chosen = process.env['CHROME_PATH']
  const server = (await launch(chosen)) ?? (chosen ? undefined : await install())
  if (server) return server
  throw new Error(
    chosen
      ? `CHROME_PATH is ${chosen}, but no browser starts from there. Correct it, or unset it.`
      : instructions,
  )
}

async function launch(path?: string): Promise<BrowserServer | undefined> {
  for (const options of launchOptions(path)) {
    const server = await chromium.launchServer(options).catch(() => undefined)
    if (server) return server
  }
  return undefined
}

async function install(): Promise<BrowserServer | undefined> {
  // Only where it does not ask for a password.
  const apt = process.getuid?.() === 0 ? ['apt-get'] : ['sudo', '-n', 'apt-get']
  const hasApt = await run([...apt, '--version'])
  if (hasApt) {
    await run([...apt, 'update'])
    await run([...apt, 'install', '-y', '--no-install-recommends', 'chromium-headless-shell'])
    // Ubuntu does not have this package.
    const installed = await launch()
    if (installed) return installed
  }
  const cli = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js')
  // With the libraries that it needs, where they can be installed.
  const withLibraries = hasApt ? ['--with-deps'] : []
  await run([process.execPath, cli, 'install', ...withLibraries, '--no-progress', 'chromium-headless-shell'])
  return launch()
}

/** Returns whether the command has succeeded. */
async function run(command: readonly string[]): Promise<boolean> {
  console.log(`[browser] ${command.join(' ')}`)
  const [program, ...rest] = command
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const options = { timeout: 5 * MINUTE, killSignal: 'SIGKILL', maxBuffer: Infinity, env } as const
  return promisify(execFile)(program!, rest, options).then(
    () => true,
    (error: Error) => {
      console.log(`[browser] failed: ${error.message}`)
      return false
    },
  )
}

/**
 * Leaves a page that others will use. Its server may just have told it to reload, and a reload can take the place of the
 * navigation, whose end would never come: so its beginning is enough, and it is tried again.
 */
export async function leavePage(page: Page): Promise<void> {
  do await page.goto('about:blank', { waitUntil: 'commit' }).catch(ignoreInterruption)
  while (page.url() !== 'about:blank')
}

function ignoreInterruption(error: Error): void {
  if (!error.message.includes('interrupted by another navigation')) throw error
}
