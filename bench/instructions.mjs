import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from './lib/processes.mjs'
import { hasCache, makeViteProject, removeCache } from './lib/project.mjs'
import { works } from './lib/requests.mjs'
import { median } from './lib/stats.mjs'
import { yamlRoutes } from './start.mjs'

const require = createRequire(import.meta.url)
const [page2] = works
const worker = fileURLToPath(new URL('workers/count-instructions.mjs', import.meta.url))

const callgrind = ['--tool=callgrind', '--callgrind-out-file=/dev/null']
const seeds = ['--hash-seed=1', '--random-seed=1']
/** Without counting, which takes ten times as long. */
const emulated = ['valgrind', '--tool=none', process.execPath]
/** One thread and no randomness, so that two runs execute the same instructions. */
const flags = ['--single-threaded', '--predictable', ...seeds]
const calls = 2_000_000 // so many that it does not matter that two runs may differ by 235 million instructions

export async function instructions({ quick, log }) {
  if (!hasValgrind()) return [{ title: 'Instructions', note: 'Skipped: `valgrind` is not installed.' }]
  return [decision(log), await starts(quick ? 1 : 3, log)]
}

/**
 * Instructions of one decision "not ours", counted by callgrind: the difference between two runs, one with twice as many
 * calls as the other, so that start, loading and warm-up cancel out.
 */
function decision(log) {
  log('Instructions of a decision')
  const [once, twice] = [calls, 2 * calls].map(count)
  const perCall = (twice - once) / calls
  return {
    title: 'The decision "not ours", instructions',
    head: ['Request', 'Instructions a call'],
    rows: [['`/src/main.js`', perCall.toFixed(0)]],
  }
}

const subjects = [
  { name: 'floor', plugin: 'floor' },
  { name: 'floor again (A/A)', plugin: 'floor' },
  { name: 'templates', plugin: 'ours', isFirst: false },
  { name: 'templates, the first start', plugin: 'ours', isFirst: true },
  { name: '40 YAML routes', plugin: 'ours', isFirst: false, files: yamlRoutes() },
  { name: '40 YAML routes, the first start', plugin: 'ours', isFirst: true, files: yamlRoutes() },
]

/**
 * Instructions of Vite from its start to the first answer. Unlike the time of a start, which differs by a third from one process
 * to the next, they differ by a hundredth.
 */
async function starts(rounds, log) {
  const roots = subjects.map(({ plugin, files }) => makeViteProject(plugin, files))
  const counts = subjects.map(() => [])
  for (let round = -1; round < rounds; round++)
    for (const [index, { name, isFirst }] of subjects.entries()) {
      log(`Instructions of a start: round ${round + 1} of ${rounds}, ${name}`)
      // The first start of a project, also without the plugin, makes what Vite keeps. Under valgrind too: V8 makes other code
      // for its processor, which can do less than the machine's.
      if (round < 0)
        await startVite(emulated, roots[index], () => isFirst !== false || hasCache(roots[index]))
      if (isFirst) removeCache(roots[index])
      if (round >= 0) counts[index].push(await countStart(roots[index]))
    }
  const floor = median([...counts[0], ...counts[1]])
  return {
    title: 'Start of Vite until the first answer, instructions',
    head: ['Subject', 'Million instructions', 'Times the floor'],
    rows: subjects.map(({ name }, index) => [
      name,
      (median(counts[index]) / 1e6).toFixed(0),
      (median(counts[index]) / floor).toFixed(3),
    ]),
  }
}

/** The process ends with the first answer. */
async function countStart(root) {
  const probe = new URL('workers/until-first-answer.mjs', import.meta.url).href
  return readCount(await startVite(['valgrind', ...callgrind, process.execPath, '--import', probe], root))
}

/**
 * Starts Vite, and asks until there is an answer.
 *
 * @param {string[]} command
 * @param {string} root
 * @param {() => boolean} [isSettled] when the process is ended; by default, it ends itself
 * @returns {Promise<string>} what it has printed on stderr
 */
async function startVite([command, ...before], root, isSettled) {
  const vite = join(dirname(require.resolve('vite/package.json')), 'bin/vite.js')
  const port = String(await freePort())
  // V8 runs code that was kept only with the flags that it was made with.
  const args = [...before, ...seeds, vite, '--port', port, '--strictPort', '--host', '127.0.0.1']
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] })
  let printed = ''
  child.stderr.on('data', (chunk) => (printed += chunk))
  const exit = once(child, 'exit')
  ask()
  await exit
  return printed

  /** Until someone listens. */
  function ask() {
    if (child.exitCode !== null) return
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(page2.bytes))
    socket.on('error', () => setTimeout(ask, 50))
    if (isSettled) socket.once('data', end)
  }

  function end() {
    if (isSettled()) child.kill('SIGKILL')
    else setTimeout(end, 100)
  }
}

function count(times) {
  const command = [...callgrind, process.execPath, ...flags, worker, String(times)]
  return readCount(spawnSync('valgrind', command, { encoding: 'utf8', timeout: 600_000 }).stderr)
}

/** @param {string} report what callgrind has printed */
function readCount(report) {
  const collected = /Collected : (\d+)/.exec(report)
  if (!collected) throw new Error(`callgrind failed:\n${report}`)
  return Number(collected[1])
}

function hasValgrind() {
  try {
    execFileSync('valgrind', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
