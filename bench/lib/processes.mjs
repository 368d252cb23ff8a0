import { execFileSync, fork } from 'node:child_process'
import { on, once } from 'node:events'
import { createServer } from 'node:net'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { ask } from './load.mjs'

/*
 * Every server runs in its own process. If `taskset` is available and there are at least two cores, servers get the second
 * core and the load generator the first, so that they do not compete.
 */

const canPin = hasTaskset()
const serverPin = canPin ? ['taskset', '-c', '1'] : []
const cpuReporter = fileURLToPath(new URL('report-cpu.mjs', import.meta.url))

/** Running child processes, so that none outlives this process. @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set()
process.once('exit', () => children.forEach((child) => child.kill('SIGKILL')))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

function hasTaskset() {
  try {
    execFileSync('taskset', ['-c', '1', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Puts this process, the load generator, on the first core. */
export function pinSelf() {
  if (canPin) execFileSync('taskset', ['-a', '-c', '-p', '0', String(process.pid)], { stdio: 'ignore' })
  return canPin
}

/** Puts a command on the servers' core. @param {string[]} command @returns {string[]} */
function pinned(command) {
  return [...serverPin, ...command]
}

/** Lets a command use all cores, since nothing is measured meanwhile. @param {string[]} command */
export function onAllCores(command) {
  return canPin ? ['taskset', '-c', `0-${cpus().length - 1}`, ...command] : command
}

/**
 * @typedef {object} Server
 * @property {number} port
 * @property {() => Promise<number>} cpu microseconds of processor time that the process has used
 * @property {() => Promise<void>} stop
 */

/**
 * Starts a script that listens on the port in `PORT`, and waits until it answers correctly.
 *
 * @param {string} script
 * @param {{ args?: string[], env?: NodeJS.ProcessEnv, probe: import('./requests.mjs').Work, cwd?: string }} options
 * @returns {Promise<Server>}
 */
export async function startServer(script, { args = [], env = {}, probe, cwd }) {
  const port = await freePort()
  const [command, ...before] = pinned([process.execPath])
  const child = fork(
    script,
    args.map((arg) => arg.replace('{port}', String(port))),
    {
      execPath: command,
      execArgv: [...before, '--import', cpuReporter],
      env: { ...process.env, NODE_ENV: 'development', ...env, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      cwd,
    },
  )
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
    children.delete(child)
  }
  children.add(child)
  try {
    await answering(port, probe, child)
  } catch (error) {
    await stop()
    throw new Error(`${script} ${args.join(' ')}: ${error.message}`)
  }
  return { port, stop, cpu: () => askForCpu(child) }
}

async function askForCpu(child) {
  child.send('report cpu')
  for await (const [message] of on(child, 'message')) {
    if (typeof message?.cpuMicroseconds === 'number') return message.cpuMicroseconds
  }
  throw new Error('unreachable')
}

async function answering(port, { bytes, verify }, child) {
  const end = performance.now() + 60_000
  for (;;) {
    if (child.exitCode !== null) throw new Error(`ended with code ${child.exitCode}`)
    try {
      return verify(await ask(port, bytes))
    } catch (error) {
      if (performance.now() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/**
 * Runs a worker script to its end. @returns what it printed, read as JSON
 *
 * @param {string} script
 * @param {string[]} args
 * @param {string[]} [flags] flags of Node
 */
export function runWorker(script, args, flags = []) {
  const [command, ...rest] = onAllCores([process.execPath, ...flags, script, ...args])
  const output = execFileSync(command, rest, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 300_000,
    maxBuffer: 1e8,
  })
  return JSON.parse(output)
}
