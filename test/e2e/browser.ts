import { join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'
import { downloadedBrowsers, downloadFolder, playwrightFolder, systemBrowsers } from './browser-places.ts'
import { run } from './run.ts'

const MINUTE = 60_000

/** The path of a Chromium or Chrome that starts. Installs one where the machine has none. */
export async function findBrowser(): Promise<string> {
  const chosen = process.env['CHROME_PATH']
  if (chosen) {
    if (await starts(chosen)) return chosen
    throw new Error(`CHROME_PATH is ${chosen}, but no browser starts from there. Correct it, or unset it.`)
  }
  const found =
    (await systemBrowser()) ??
    (await downloadedBrowser()) ??
    (await downloadBrowser()) ??
    (await installBrowser())
  if (found) return found
  throw new Error(
    'No Chromium or Chrome starts on this machine. Install one (Debian, Ubuntu: `apt-get install chromium`; elsewhere: ' +
      '`npx playwright-core install --with-deps chromium`), or set CHROME_PATH to the path of its executable.',
  )
}

/** Launches the browser that `setup.ts` has found. */
export function launchBrowser(): Promise<Browser> {
  const executable = process.env['CHROME_PATH']
  if (!executable) throw new Error('CHROME_PATH is not set. Vitest sets it in test/e2e/setup.ts.')
  return launch(executable)
}

function systemBrowser(): Promise<string | undefined> {
  say('looking for a Chromium or Chrome of this machine')
  return firstThatStarts(systemBrowsers())
}

function downloadedBrowser(): Promise<string | undefined> {
  say(`looking for a Chromium that Playwright has downloaded to ${downloadFolder()}`)
  return firstThatStarts(downloadedBrowsers())
}

async function downloadBrowser(): Promise<string | undefined> {
  say('downloading a Chromium with Playwright')
  const cli = join(playwrightFolder(), 'cli.js')
  const args = [cli, 'install', '--no-progress', 'chromium-headless-shell']
  const { ok, output } = await run(process.execPath, args, 5 * MINUTE)
  if (ok) return firstThatStarts(downloadedBrowsers())
  say(`the download failed: ${lastLines(output)}`)
  return undefined
}

async function installBrowser(): Promise<string | undefined> {
  if (!isRoot() || !(await run('apt-get', ['--version'], MINUTE)).ok) return undefined
  say('installing chromium with apt-get')
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    const { ok, output } = await run('apt-get', args, 10 * MINUTE)
    if (!ok) {
      say(`apt-get ${args[0]} failed: ${lastLines(output)}`)
      return undefined
    }
  }
  return firstThatStarts(systemBrowsers())
}

async function firstThatStarts(executables: string[]): Promise<string | undefined> {
  for (const executable of executables) if (await starts(executable)) return executable
  return undefined
}

async function starts(executable: string): Promise<boolean> {
  // On Windows, Chrome opens a window when it is asked for its version.
  const version = await (process.platform === 'win32'
    ? launchedVersion(executable)
    : printedVersion(executable))
  say(version ? `${executable} is ${version}` : `${executable} does not start`)
  return version !== undefined
}

async function printedVersion(executable: string): Promise<string | undefined> {
  const { ok, output } = await run(executable, ['--version'], MINUTE)
  return ok ? /^.*Chrom.*\d+\.\d+.*$/m.exec(output)?.[0].trim() : undefined
}

async function launchedVersion(executable: string): Promise<string | undefined> {
  try {
    const browser = await launch(executable)
    await browser.close()
    return `Chromium ${browser.version()}`
  } catch {
    return undefined
  }
}

function launch(executablePath: string): Promise<Browser> {
  const args = [
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ]
  // Chromium refuses to run its sandbox as root.
  if (isRoot()) args.push('--no-sandbox')
  return chromium.launch({ executablePath, args })
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

function lastLines(output: string): string {
  return output.trim().split('\n').slice(-5).join('\n')
}

function say(line: string) {
  console.log(`[browser] ${line}`)
}
