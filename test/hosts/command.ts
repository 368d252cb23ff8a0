import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const require = createRequire(import.meta.url)

/** A host's command line tool in a terminal. */
export interface RunningCommand {
  /** Its output so far, without colours. */
  output: () => string
  /** Waits until the output matches, and returns the match. */
  seen: (pattern: RegExp) => Promise<RegExpExecArray>
  /** Waits until it ends by itself, and returns its exit code. */
  ended: Promise<number | null>
  /** Ends it, by default as Ctrl-C does. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

/** The script behind a command of a package: `binOf('@rspack/cli', 'rspack')`. */
export function binOf(packageName: string, command: string): string {
  const file = require.resolve(`${packageName}/package.json`)
  const { bin } = require(file) as { bin: Record<string, string> }
  return join(dirname(file), bin[command]!)
}

/** Runs a script with Node, in a folder, with the environment of a fresh terminal. */
export function runCommand(cwd: string, script: string, ...args: string[]): RunningCommand {
  const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: '1' }
  for (const name of ['NODE_ENV', 'RSPACK_SERVE', 'WEBPACK_SERVE', 'FORCE_COLOR']) delete env[name]
  const child = spawn(process.execPath, [script, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += stripVTControlCharacters(chunk.toString())
      for (const listener of listeners) listener()
    })
  }
  const ended = once(child, 'close').then(([code]) => code as number | null)

  return {
    output: () => text,
    seen: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(text)
          if (!match) return
          listeners.delete(look)
          resolve(match)
        }
        listeners.add(look)
        look()
        void ended.then(() => reject(new Error(`It ended without ${pattern}:\n${text}`)))
      }),
    ended,
    async stop(signal = 'SIGINT') {
      child.kill(signal)
      return ended
    },
  }
}
