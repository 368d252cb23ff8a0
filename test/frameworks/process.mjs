/* Commands in a process group of their own, so that all they have started ends with them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as after } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'

const SECOND = 1_000

/** Runs a command to its end, and gives back what it has printed to stdout. */
export async function run(command, args, cwd, timeout) {
  const started = start(command, args, cwd)
  const late = after(timeout, 'late', { ref: false })
  const code = await Promise.race([started.ended, late])
  if (code === 0) return started.stdout()
  await started.stop()
  throw new Error(`${command} ${args[0]} ${code === 'late' ? 'took too long' : `ended with ${code}`}`, {
    cause: started.output(),
  })
}

/** Starts a command with the environment of a fresh terminal, and without telemetry. */
export function start(command, args, cwd, variables = {}) {
  const env = { ...process.env, ...quiet, ...variables }
  for (const name of ['NODE_ENV', 'VITEST', 'FORCE_COLOR', 'PORT', 'HOST']) delete env[name]
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let output = ''
  let isRunning = true
  child.stdout.on('data', (chunk) => (stdout += chunk))
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => (output += stripVTControlCharacters(chunk.toString())))
  }
  const ended = once(child, 'close').then(([code]) => {
    isRunning = false
    return code
  })
  groups.add(child.pid)

  return {
    stdout: () => stdout,
    output: () => output,
    isRunning: () => isRunning,
    ended,
    async stop() {
      signal(child.pid, 'SIGTERM')
      const late = after(10 * SECOND, 'late', { ref: false })
      if ((await Promise.race([ended, late])) === 'late') signal(child.pid, 'SIGKILL')
      await ended
      signal(child.pid, 'SIGKILL') // what it has left behind
      groups.delete(child.pid)
    },
  }
}

/** Asks again and again until the answer is not undefined, the process has ended, or the time is over. */
export async function until(what, ask, started, timeout) {
  const end = performance.now() + timeout
  while (started.isRunning() && performance.now() < end) {
    const answer = await ask()
    if (answer !== undefined) return answer
    await after(50)
  }
  throw new Error(`${started.isRunning() ? 'Waited in vain for' : 'It ended before'} ${what}`)
}

const quiet = {
  NO_COLOR: '1',
  DO_NOT_TRACK: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
  STORYBOOK_DISABLE_TELEMETRY: '1',
}

const groups = new Set()

for (const name of ['SIGINT', 'SIGTERM']) {
  process.once(name, () => {
    for (const pid of groups) signal(pid, 'SIGKILL')
    process.exit(1)
  })
}

function signal(pid, name) {
  try {
    process.kill(-pid, name)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}
