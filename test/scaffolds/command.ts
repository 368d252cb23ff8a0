/* Commands in the folder of a project, as in a fresh terminal: in a process group of their own, which ends as a whole. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { delimiter } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'

export interface Terminal {
  cwd: string
  /** A folder that stands first in `PATH`: another version of Node. */
  bin?: string | undefined
  env?: Record<string, string>
}

export interface RunningServer {
  /** All that was printed so far, without colours. */
  output: () => string
  hasEnded: () => boolean
  stop: () => Promise<void>
}

/** Runs a command to its end, and returns what it printed. Rejects with all of that if it fails. */
export async function run(command: readonly string[], terminal: Terminal): Promise<string> {
  const started = start(command, terminal)
  const code = await started.ended
  if (code === 0) return started.output()
  throw new Error(`${command.join(' ')} ended with ${code}:\n${started.output()}`)
}

/** Starts a command that runs until it is stopped. */
export function start(
  [program, ...args]: readonly string[],
  { cwd, bin, env = {} }: Terminal,
): RunningServer & { ended: Promise<number | null> } {
  const child = spawn(program!, args, {
    cwd,
    env: { ...freshEnvironment(bin), ...env },
    detached: process.platform !== 'win32',
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += stripVTControlCharacters(text)))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  let isOver = false
  void ended.then(() => (isOver = true))
  return {
    output: () => output,
    hasEnded: () => isOver,
    ended,
    async stop() {
      signal(child, 'SIGTERM')
      const isLate = await Promise.race([ended.then(() => false), after(10_000, true, { ref: false })])
      if (isLate) signal(child, 'SIGKILL')
      await ended
      signal(child, 'SIGKILL') // what it has left behind
    },
  }
}

const quiet = {
  NO_COLOR: '1',
  BROWSER: 'none',
  DO_NOT_TRACK: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
  STORYBOOK_DISABLE_TELEMETRY: '1',
}

/** What Vitest and its workers add to the environment; some of it changes what bundlers build. */
const ofVitest =
  /^(?:NODE_ENV|NODE_OPTIONS|MODE|DEV|PROD|SSR|BASE_URL|TEST|PORT|HOST|FORCE_COLOR|VITEST.*|npm_(?!config_).*)$/

function freshEnvironment(bin: string | undefined): NodeJS.ProcessEnv {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofVitest.test(name)))
  const path = bin === undefined ? env['PATH'] : `${bin}${delimiter}${env['PATH'] ?? ''}`
  return { ...env, ...quiet, PATH: path }
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (process.platform === 'win32') return void child.kill(name)
  try {
    process.kill(-child.pid!, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
