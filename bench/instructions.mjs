import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const worker = fileURLToPath(new URL('workers/count-instructions.mjs', import.meta.url))

/** One thread and no randomness, so that two runs execute the same instructions. */
const flags = ['--single-threaded', '--predictable', '--hash-seed=1', '--random-seed=1']
const calls = 200_000

/**
 * Instructions of one decision "not ours", counted by callgrind: the difference between two runs, one with twice as many
 * calls as the other, so that start, loading and warm-up cancel out.
 */
export function instructions({ log }) {
  const title = 'The decision "not ours", instructions'
  if (!hasValgrind()) return [{ title, note: 'Skipped: `valgrind` is not installed.' }]
  log('Instructions under callgrind')
  const [once, twice] = [calls, 2 * calls].map(count)
  const perCall = (twice - once) / calls
  return [{ title, head: ['Request', 'Instructions a call'], rows: [['`/src/main.js`', perCall.toFixed(0)]] }]
}

function count(times) {
  const tool = ['--tool=callgrind', '--callgrind-out-file=/dev/null']
  const { stderr } = spawnSync('valgrind', [...tool, process.execPath, ...flags, worker, String(times)], {
    encoding: 'utf8',
    timeout: 600_000,
  })
  const collected = /Collected : (\d+)/.exec(stderr)
  if (!collected) throw new Error(`callgrind failed:\n${stderr}`)
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
