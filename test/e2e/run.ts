import { spawn } from 'node:child_process'

export interface RunResult {
  ok: boolean
  output: string
}

/** Runs a command. After the time limit in milliseconds, it and its children are killed. */
export function run(
  [program, ...args]: readonly [string, ...string[]],
  timeLimit: number,
): Promise<RunResult> {
  return new Promise((resolve) => {
    const ownGroup = process.platform !== 'win32'
    const child = spawn(program, args, {
      detached: ownGroup,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    let output = ''
    const keep = (chunk: Buffer) => (output += chunk.toString())
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)

    const timer = setTimeout(() => {
      output += `\nnot done after ${timeLimit / 1000} seconds`
      if (ownGroup && child.pid) process.kill(-child.pid, 'SIGKILL')
      else child.kill('SIGKILL')
    }, timeLimit)
    const finish = (ok: boolean) => {
      clearTimeout(timer)
      resolve({ ok, output })
    }
    child.on('error', (error) => {
      output += error.message
      finish(false)
    })
    child.on('close', (code) => finish(code === 0))
  })
}
