/* The tables that a soak prints. */
import { bytesPerRequest, heapOfFlood, maxOfFlood, maxPerRequest, memoryKinds } from './verdict.mjs'

const MB = 1_048_576

export function printReport(run) {
  const { host, seconds, checkpoints, outcomes, edits, answered, closed, faults } = run
  const rows = checkpoints.map((point) => ({
    requests: point.requests,
    'per second': point.perSecond ?? '',
    'heap MB': (point.heapUsed / MB).toFixed(2),
    'external MB': (point.external / MB).toFixed(2),
    'RSS MB': (point.rss / MB).toFixed(0),
    handles: sum(point.handles),
    resources: sum(point.resources),
    descriptors: point.descriptors ?? '',
    sockets: point.sockets,
    listeners: point.listeners,
  }))
  print(`\n${host}: ${answered} answers in ${seconds.toFixed(0)} s`)
  print(table(rows))
  print(`answers   ${list(outcomes)}`)
  print(`kinds     ${run.byKind.size}, each at least ${Math.min(...run.byKind.values())} times`)
  print(`edits     ${list(edits)}`)
  print(`logged    ${list(closed.logged)}`)
  print(`memory    ${run.isJudged ? describeMemory(run) : 'not judged: too few requests'}`)
  print(faults.length === 0 ? 'ok' : faults.map((fault) => `FAULT     ${fault}`).join('\n'))
}

function describeMemory(run) {
  const slopes = Object.entries(memoryKinds).map(([name, read]) => {
    return `${name} ${bytesPerRequest(run.checkpoints, read).toFixed(2)}`
  })
  const flood = `${mega(heapOfFlood(run))} MB after a flood (limit ${mega(maxOfFlood)})`
  return `${slopes.join(', ')} bytes a request (limit ${maxPerRequest}); ${flood}`
}

function mega(bytes) {
  return (bytes / MB).toFixed(1)
}

function sum(counts) {
  return Object.values(counts).reduce((total, count) => total + count, 0)
}

function list(counts) {
  const entries = Object.entries(counts).sort(([, a], [, b]) => b - a)
  return entries.map(([name, count]) => `${name} ${count}`).join(', ')
}

function table(rows) {
  const names = Object.keys(rows[0])
  const lines = [names, ...rows.map((row) => names.map((name) => String(row[name])))]
  const widths = names.map((_, column) => Math.max(...lines.map((cells) => cells[column].length)))
  return lines
    .map((cells) => cells.map((cell, column) => cell.padStart(widths[column])).join('  '))
    .join('\n')
}

function print(line) {
  process.stdout.write(`${line}\n`)
}
