import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { freePort, onAllCores } from './processes.mjs'

const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js')

/**
 * Starts the command `vite` in a folder. Resolves when it prints its URL.
 *
 * @param {string} root
 */
export async function startVite(root) {
  const port = await freePort()
  const args = ['--port', String(port), '--strictPort', '--host', '127.0.0.1', '--clearScreen', 'false']
  const [command, ...rest] = onAllCores([process.execPath, vite, ...args])
  const child = spawn(command, rest, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: environment() })
  const exit = once(child, 'exit')
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await exit
  }
  let output = ''
  child.stderr.on('data', (chunk) => (output += chunk))
  for await (const chunk of child.stdout) {
    output += chunk
    if (/127\.0\.0\.1/.test(output)) {
      child.stdout.resume()
      return { port, stop }
    }
  }
  throw new Error(`vite did not start:\n${output}`)
}

function environment() {
  const { NODE_ENV: _, ...rest } = process.env
  return { ...rest, NO_COLOR: '1' }
}
