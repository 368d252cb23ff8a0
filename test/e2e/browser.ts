import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium, type Browser, type BrowserServer, type Page } from 'playwright-core'
import { downloadedBrowsers, playwrightFolder, systemBrowsers } from './browser-places.ts'

const MINUTE = 60_000

const instructions = `No Chromium or Chrome starts on this machine. Do one of these, and run the tests again:
  Debian: sudo apt-get install chromium
  elsewhere: npx playwright-core install --with-deps chromium-headless-shell
  with a browser that is installed: CHROME_PATH=/path/to/its/executable npm test`

/** The path of a Chromium or Chrome that starts. Installs one where the machine has none. */
export async function findBrowser(): Promise<string> {
  const chosen = process.env['CHROME_PATH']
  if (chosen) {
    if (await starts(chosen)) return chosen
    throw new Error(`CHROME_PATH is ${chosen}, but no browser starts from there. Correct it, or unset it.`)
  }
  const found =
    (await firstThatStarts(systemBrowsers())) ??
    (await firstThatStarts(downloadedBrowsers())) ??
    (await installBrowser())
  if (found) return found
  throw new Error(instructions)
}

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
 * Launches a browser to connect to. Playwright does so without Chromium's sandbox, which does not start as root and in many
 * containers.
 */
export function launchServer(executablePath: string): Promise<BrowserServer> {
  const args = [
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ]
  return chromium.launchServer({ executablePath, args })
}

async function installBrowser(): Promise<string | undefined> {
  const apt = await aptCommand()
  if (apt) {
    await install([...apt, 'update'])
    await install([...apt, 'install', '-y', '--no-install-recommends', 'chromium'])
    // On Ubuntu, this package does not exist, or is a snap.
    const installed = await firstThatStarts(systemBrowsers())
    if (installed) return installed
  }
  // With the libraries that it needs, where they can be installed.
  const cli: [string, string] = [process.execPath, join(playwrightFolder(), 'cli.js')]
  await install([
    ...cli,
    'install',
    ...(apt ? ['--with-deps'] : []),
    '--no-progress',
    'chromium-headless-shell',
  ])
  return firstThatStarts(downloadedBrowsers())
}

/** How this user runs `apt-get` without being asked for a password; `undefined` where that is not possible. */
async function aptCommand(): Promise<[string, ...string[]] | undefined> {
  const command: [string, ...string[]] = process.getuid?.() === 0 ? ['apt-get'] : ['sudo', '-n', 'apt-get']
  return (await run([...command, '--version'], MINUTE)).ok ? command : undefined
}

async function install(command: [string, ...string[]]): Promise<void> {
  console.log(`[browser] ${command.join(' ')}`)
  const { ok, output } = await run(command, 5 * MINUTE)
  if (!ok) console.log(`[browser] failed:\n${output.trim().split('\n').slice(-5).join('\n')}`)
}

/** Runs a command. After the time limit in milliseconds, it is killed. */
async function run([program, ...args]: readonly [string, ...string[]], timeout: number) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const options = { timeout, killSignal: 'SIGKILL', maxBuffer: Infinity, env } as const
  return promisify(execFile)(program, args, options).then(
    ({ stdout, stderr }) => ({ ok: true, output: stdout + stderr }),
    ({ message, stderr = '' }: Error & { stderr?: string }) => ({ ok: false, output: `${stderr}${message}` }),
  )
}

async function firstThatStarts(executables: string[]): Promise<string | undefined> {
  for (const executable of executables) if (await starts(executable)) return executable
  return undefined
}

async function starts(executable: string): Promise<boolean> {
  // On Windows, Chrome opens a window when it is asked for its version.
  if (process.platform === 'win32') return launches(executable)
  const { ok, output } = await run([executable, '--version'], MINUTE)
  return ok && /Chrom.*\d+\.\d+/.test(output)
}

async function launches(executable: string): Promise<boolean> {
  try {
    const server = await launchServer(executable)
    await server.close()
    return true
  } catch {
    return false
  }
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
