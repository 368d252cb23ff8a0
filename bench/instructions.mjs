import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from './lib/processes.mjs'
import { hasCache, makeViteProject, removeCache } from './lib/project.mjs'
import { works } from './lib/requests.mjs'
import { timeStart } from './lib/start-process.mjs'
import { median } from './lib/stats.mjs'
import { yamlRoutes } from './start.mjs'

const require = createRequire(import.meta.url)
const [page2] = works
const worker = fileURLToPath(new URL('workers/count-instructions.mjs', import.meta.url))

const callgrind = ['--tool=callgrind', '--callgrind-out-file=/dev/null']
const seeds = ['--hash-seed=1', '--random-seed=1']
/** One thread and no randomness, so that two runs execute the same instructions. */
const flags = ['--single-threaded', '--predictable', ...seeds]
const calls = 200_000

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
  ['floor', 'floor'],
  ['floor again (A/A)', 'floor'],
  ['templates', 'ours'],
  ['40 YAML routes', 'ours', yamlRoutes()],
  ['40 YAML routes, the first start', 'ours', yamlRoutes()],
]

/**
 * Instructions of Vite from its start to the first answer. Unlike the time of a start, which differs by a third from one process
 * to the next, they differ by a hundredth.
 */
async function starts(rounds, log) {
  const roots = subjects.map(([, plugin, files]) => makeViteProject(plugin, files))
  const counts = subjects.map(() => [])
  await timeStart('vite', roots[3], page2, () => hasCache(roots[3]))
  for (let round = 0; round < rounds; round++)
    for (const [index, root] of roots.entries()) {
      log(`Instructions of a start: round ${round + 1} of ${rounds}, ${subjects[index][0]}`)
      if (index === 4) removeCache(root)
      counts[index].push(await countStart(root))
    }
  const floor = median([...counts[0], ...counts[1]])
  return {
    title: 'Start of Vite until the first answer, instructions',
    head: ['Subject', 'Million instructions', 'Times the floor'],
    rows: subjects.map(([name], index) => [
      name,
      (median(counts[index]) / 1e6).toFixed(0),
      (median(counts[index]) / floor).toFixed(3),
    ]),
  }
}

async function countStart(root) {
  const vite = join(dirname(require.resolve('vite/package.json')), 'bin/vite.js')
  const probe = new URL('workers/until-first-answer.mjs', import.meta.url).href
  const port = String(await freePort())
  const args = ['--import', probe, vite, '--port', port, '--strictPort', '--host', '127.0.0.1']
  const child = spawn('valgrind', [...callgrind, process.execPath, ...seeds, ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let report = ''
  child.stderr.on('data', (chunk) => (report += chunk))
  const exit = once(child, 'exit')
  ask()
  await exit
  return readCount(report)

  /** Until someone listens. */
  function ask() {
    if (child.exitCode !== null) return
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(page2.bytes))
    socket.on('error', () => setTimeout(ask, 50))
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
