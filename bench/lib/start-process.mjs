import { fork, spawnSync } from 'node:child_process'
import { on, once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openAsker } from './load.mjs'
import { freePort, onAllCores } from './processes.mjs'

const probe = fileURLToPath(new URL('start-probe.mjs', import.meta.url))
const require = createRequire(import.meta.url)

/** The script of a package's command. @param {string} name @param {string} command */
function commandOf(name, command) {
  const manifest = require.resolve(`${name}/package.json`)
  return join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin[command])
}

/** The Node that runs the commands: by default this one. Users have the one of npm, `BENCH_NODE`. */
const node = process.env.BENCH_NODE ?? process.execPath

export const nodeVersion = () => spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim().slice(1)

/** Command and arguments of each host. `{port}` is replaced. */
const hosts = {
  vite: {
    script: () => commandOf('vite', 'vite'),
    args: ['--port', '{port}', '--strictPort', '--host', '127.0.0.1', '--clearScreen', 'false'],
  },
  webpack: { script: () => commandOf('webpack-cli', 'webpack-cli'), args: ['serve'] },
  rspack: { script: () => commandOf('@rspack/cli', 'rspack'), args: ['dev'] },
  rsbuild: {
    script: () => commandOf('@rsbuild/core', 'rsbuild'),
    args: ['dev', '--port', '{port}', '--host', '127.0.0.1'],
  },
}

/** Milliseconds since the process was started, and of its CPU time until then. @typedef {{ wall: number, cpu: number }} Moment */

/**
 * Starts a dev server by its command, in a new process that has all cores, and stops it after its first answer.
 *
 * @param {keyof typeof hosts} name
 * @param {string} root
 * @param {import('./requests.mjs').Work} work what is asked as soon as it listens
 * @param {boolean} [isMocked] whether the answer has to be the mocked one
 * @returns {Promise<Moment>}
 */
export async function timeStart(name, root, work, isMocked = false) {
  const { script, args } = hosts[name]
  const port = await freePort()
  const [command, ...before] = onAllCores([node])
  const start = performance.now()
  const child = fork(
    script(),
    args.map((arg) => arg.replace('{port}', String(port))),
    {
      cwd: root,
      execPath: command,
      execArgv: [...before, '--import', probe],
      env: { ...environment(root), PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    },
  )
  let errors = ''
  child.stderr.on('data', (chunk) => (errors += chunk))
  const exit = once(child, 'exit')
  try {
    await Promise.race([
      nextMessage(child, ({ listening }) => listening === port),
      exit.then(() => Promise.reject(new Error(`${name} ended:\n${errors}`))),
    ])
    await answered(port, isMocked ? work : { ...work, verify: () => {} })
    const wall = performance.now() - start
    child.send('report cpu')
    const { cpu } = await nextMessage(child, ({ cpu, listening }) => cpu !== undefined && !listening)
    return { wall, cpu }
  } finally {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await exit
  }
}

/** Some plugins load their files after the server listens, and fall through to the HTML page until then. */
async function answered(port, { bytes, verify }) {
  const end = performance.now() + 60_000
  const asker = await openAsker(port)
  for (;;) {
    const body = await asker.ask(bytes)
    try {
      verify(body)
      return asker.close()
    } catch (error) {
      if (performance.now() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }
}

async function nextMessage(child, isWanted) {
  for await (const [message] of on(child, 'message')) if (isWanted(message)) return message
  throw new Error('unreachable')
}

/**
 * Runs a script to its end. @returns {Moment}
 *
 * @param {string} script
 * @param {string[]} args
 * @param {string} cwd
 */
export function timeRun(script, args, cwd) {
  const [command, ...rest] = onAllCores([node, '--import', probe, script, ...args])
  const start = performance.now()
  const env = { ...environment(cwd), REPORT_CPU_AT_EXIT: '1' }
  const { status, stdout, stderr } = spawnSync(command, rest, { cwd, env, encoding: 'utf8' })
  const wall = performance.now() - start
  if (status !== 0) throw new Error(`${script} ${args.join(' ')} failed:\n${stderr}`)
  return { wall, cpu: Number(/\ncpu (\S+)\n/.exec(stdout)[1]) }
}

/** @param {string} root */
export const timeViteBuild = (root) => timeRun(hosts.vite.script(), ['build', '--logLevel', 'error'], root)

/** Vite asks Node to keep compiled code, in the folder of temporary files: one in the project, so that a first start is one. */
function environment(root) {
  const { NODE_ENV: _, ...rest } = process.env
  const temporary = join(root, 'node_modules/.tmp')
  mkdirSync(temporary, { recursive: true })
  return { ...rest, NO_COLOR: '1', TMPDIR: temporary }
}
