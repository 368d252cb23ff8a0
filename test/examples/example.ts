/* An example in a folder of its own, and the commands of its README. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { inject } from 'vitest'
import { copyExample } from '../../scripts/example-project.ts'
import { freePort } from '../hosts/serve.ts'
import { start, type RunningServer } from '../scaffolds/command.ts'

const LIMIT = 300_000
const screenshots = fileURLToPath(new URL('../../artifacts/examples', import.meta.url))

export interface Example {
  name: string
  /** The two commands of its README. */
  commands: string[]
  /** Runs a command to its end. */
  run: (command: string, env?: Record<string, string>) => Promise<{ code: number | null; output: string }>
  /** Starts the server that a command ends with, on a free port, and waits until it answers. */
  serve: (command: string) => Promise<RunningServer & { origin: string }>
  /** Replaces text in one of its files, which has to have it. @returns what undoes that */
  edit: (file: string, before: string, after: string) => () => void
  /** Names of all its files, with those that it has installed. */
  files: () => string[]
  remove: () => void
}

/** Copies an example to where this repository's `node_modules` cannot stand in for what it does not install. */
export function createExample(name: string): Example {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'example-')))
  const cwd = copyExample(name, folder, inject('tarball'))
  const env = {
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_prefer_offline: 'true',
    NEXT_TELEMETRY_DISABLED: '1',
  }
  const startLine = (line: string, more: Record<string, string> = {}) =>
    start(process.platform === 'win32' ? [line] : ['sh', '-c', line], { cwd, env: { ...env, ...more } })

  return {
    name,
    commands: commandsOf(readFileSync(join(cwd, 'README.md'), 'utf8')),
    async run(command, more) {
      const started = startLine(command, more)
      return { code: await started.ended, output: started.output() }
    },
    async serve(command) {
      const port = await freePort()
      const server = startLine(`${command} -- --port ${port}`)
      const origin = `http://localhost:${port}`
      try {
        await until(`an answer of ${command}`, () => isOpen(origin), server)
      } catch (error) {
        await server.stop()
        throw error
      }
      return { ...server, origin }
    },
    edit(file, before, after) {
      const path = join(cwd, file)
      const text = readFileSync(path, 'utf8')
      if (!text.includes(before)) throw new Error(`${file} does not have ${before}.`)
      writeFileSync(path, text.replace(before, after))
      return () => writeFileSync(path, text)
    },
    files: () => readdirSync(cwd, { recursive: true, encoding: 'utf8' }),
    remove: () => rmSync(folder, { recursive: true, maxRetries: 3 }),
  }
}

function commandsOf(readme: string): string[] {
  return [...readme.matchAll(/^```sh\n([^]*?)\n```$/gm)].map(([, command]) => command!)
}

async function isOpen(origin: string): Promise<boolean> {
  const response = await fetch(origin).catch(() => undefined)
  return response?.ok === true
}

/** Asks until it holds. Rejects with what the server has printed when that ends, or when it takes too long. */
export async function until(
  what: string,
  holds: () => Promise<boolean>,
  server: RunningServer,
): Promise<void> {
  const end = performance.now() + LIMIT
  while (!server.hasEnded() && performance.now() < end) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(
    `${server.hasEnded() ? 'It ended before' : 'Waited in vain for'} ${what}:\n${server.output()}`,
  )
}

/** Screenshots in `artifacts/examples`, wide and light, narrow and dark. */
export async function takeScreenshots(page: Page, name: string): Promise<void> {
  mkdirSync(screenshots, { recursive: true })
  await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 800 })
  await page.screenshot({ path: join(screenshots, `${name}-dark.png`), fullPage: true })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 720 })
}
