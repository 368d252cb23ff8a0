import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

// Playwright's names, on Linux, macOS and Windows, for Chromium and for its headless shell.
const DOWNLOADED_EXECUTABLES = [
  'chrome',
  'chrome-headless-shell',
  'headless_shell',
  'Chromium',
  'Google Chrome for Testing',
  'chrome.exe',
  'chrome-headless-shell.exe',
  'headless_shell.exe',
]

/** Every Chromium and Chrome that is installed on this machine. */
export function systemBrowsers(): string[] {
  return [...commandsOnPath(), ...defaultPlaces()].filter((path) => existsSync(path))
}

function commandsOnPath(): string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)
  return COMMANDS.flatMap((command) => folders.map((folder) => join(folder, command)))
}

function defaultPlaces(): string[] {
  if (process.platform === 'darwin') {
    return ['/Applications', join(homedir(), 'Applications')].flatMap((folder) => [
      join(folder, 'Google Chrome.app/Contents/MacOS/Google Chrome'),
      join(folder, 'Chromium.app/Contents/MacOS/Chromium'),
    ])
  }
  if (process.platform === 'win32') {
    return ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA']
      .map((variable) => process.env[variable] ?? '')
      .filter(Boolean)
      .flatMap((folder) => [
        join(folder, 'Google/Chrome/Application/chrome.exe'),
        join(folder, 'Chromium/Application/chrome.exe'),
      ])
  }
  return []
}

/** Every Chromium that Playwright has downloaded, of whichever version, the newest first. */
export function downloadedBrowsers(): string[] {
  const folder = downloadFolder()
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => /^chromium(_headless_shell)?-\d+$/.test(name))
    .sort((a, b) => revision(b) - revision(a))
    .flatMap((name) => executablesIn(join(folder, name)))
}

function executablesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && DOWNLOADED_EXECUTABLES.includes(file.name))
    .map((file) => join(file.parentPath, file.name))
}

function revision(name: string): number {
  return Number(name.split('-').at(-1))
}

/** Where Playwright keeps what it downloads. */
function downloadFolder(): string {
  const chosen = process.env['PLAYWRIGHT_BROWSERS_PATH']
  if (chosen === '0') return join(playwrightFolder(), '.local-browsers')
  if (chosen) return chosen
  if (process.platform === 'darwin') return join(homedir(), 'Library/Caches/ms-playwright')
  if (process.platform === 'win32') {
    return join(process.env['LOCALAPPDATA'] ?? join(homedir(), 'AppData/Local'), 'ms-playwright')
  }
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'ms-playwright')
}

export function playwrightFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'))
}
