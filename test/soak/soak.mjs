/*
 * `npm run soak`: the built package under mixed requests, with reloads and aborts, in each host in turn. Fails when an
 * answer is wrong, when memory or handles grow, or when the process does not end by itself.
 *
 *   --requests 200000  in all, shared out among the hosts
 */
import { fork } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openRaw, sendRaw } from '../hosts/raw.ts'
import { createClient } from './client.mjs'
import { afterAPage, connectionKinds } from './connections.mjs'
import { createEditor, editedFiles, versionKinds } from './edits.mjs'
import { writeProjects } from './project.mjs'
import { answeredKinds, fillings, floodKinds, post } from './requests.mjs'

const hosts = ['node', 'vite']
const { values } = parseArgs({ options: { requests: { type: 'string', default: '200000' } } })
const requests = Math.ceil(Number(values.requests) / hosts.length)
const editEvery = 150
const patience = 30_000
/** With fewer requests, memory is not judged: the bounded caches take more than a leak would. */
const isJudged = requests >= 40_000
const checkpointEvery = Math.ceil(requests / (isJudged ? 10 : 3))
/** Requests until all code has warmed up. */
const warmUp = 20_000
/** Bytes that a request may leave behind. */
const maxPerRequest = 10
const floodSize = 3_000
/** Bytes that a flood of new documents and variables may leave behind: about twice the bounds of the caches. */
const maxOfFlood = 32_000_000

for (const host of hosts) {
  const folder = mkdtempSync(join(tmpdir(), 'mock-api-soak-'))
  writeProjects(folder)
  const subject = await startSubject(host, folder)
  const faults = await soak(host, folder, subject).catch((error) => [error.stack])
  subject.kill()
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  console.log(faults.length === 0 ? 'ok' : faults.map((fault) => `FAULT     ${fault}`).join('\n'))
  if (faults.length > 0) process.exitCode = 1
}

/** Returns a sentence for each fault. */
async function soak(host, folder, { origins, codes, ask, ended }) {
  const files = editedFiles()
  const kinds = [...answeredKinds(host), ...connectionKinds, ...versionKinds(files)]
  const client = createClient(origins, kinds)
  const editor = createEditor(folder, files, codes, async (file) => {
    const [answer] = await sendRaw(origins[file.mode], file.ask)
    return answer
  })

  if (isJudged) for (const filling of fillings(kinds)) await client.sendAll(filling.count, filling.kinds)
  await editor.renew()
  const checkpoints = [{ requests: 0, ...(await measure()) }]
  while (client.sent() < requests) {
    const end = Math.min(client.sent() + checkpointEvery, requests)
    await sendUntil(end)
    client.leave()
    await editor.renew()
    checkpoints.push({ requests: end, ...(await measure()) })
  }
  if (isJudged) await client.sendAll(floodSize, floodKinds)
  const flooded = await measure()
  const left = ['/late', '/fault/silent', '/fault/stalled', '/functions/never'].map(waitForEver)
  const connections = await Promise.all(left)
  const closed = await ask('close')
  await Promise.all(connections.map((connection) => connection.closed))
  const end = await Promise.race([ended, after(patience, 'running', { ref: false })])

  const answered = Object.values(client.outcomes).reduce((sum, count) => sum + count, 0)
  console.log(`\n${host}: ${answered} answers`)
  console.table(checkpoints)
  console.log({ answers: client.outcomes, edits: editor.counts, logged: closed.logged })
  return [
    ...client.problems.map((problem) => `wrong answer: ${problem}`),
    ...(isJudged ? judgeMemory(checkpoints, flooded) : []),
    ...checkpoints.flatMap((point) => differences(checkpoints[0], point)),
    ...(closed.handles === closed.handlesBefore ? [] : [`handles after close: ${closed.handles}`]),
    ...(end === 0 ? [] : [`the process has not ended by itself (${end}): ${closed.resources}`]),
    ...closed.troubles,
  ]

  /** Without the last requests: which of them are large is chance, and counts more than a leak would. */
  async function measure() {
    const reset = post('/__mock-api/api/reset', { requests: true }, { 'x-mock-api': '1' })
    for (const origin of Object.values(origins)) await sendRaw(origin, reset)
    return ask('measure')
  }

  /** Requests and edits side by side; after a failed edit, requests alone. */
  async function sendUntil(last) {
    let isRunning = true
    const running = client.runTo(last).finally(() => (isRunning = false))
    for (let next = client.sent() + editEvery; isRunning; await after(5)) {
      if (client.sent() < next) continue
      next = client.sent() + editEvery
      await editor.edit().catch((error) => {
        client.problems.push(`edit: ${error.message}`)
        next = Infinity
      })
    }
    await running
  }

  /** A connection that the server has to end when it closes. */
  async function waitForEver(path) {
    const connection = await openRaw(origins.plain)
    connection.write(afterAPage(path))
    await connection.next()
    return connection
  }
}

async function startSubject(host, folder) {
  const child = fork(fileURLToPath(new URL('server.mjs', import.meta.url)), [host, folder], {
    // Optimised code takes megabytes now and then. Without it, the heap holds only data.
    execArgv: ['--expose-gc', '--no-opt', '--no-sparkplug', '--no-flush-bytecode'],
    env: { ...process.env, NODE_ENV: 'development', VITEST: undefined, NO_COLOR: '1' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const ended = once(child, 'exit').then(([code, signal]) => code ?? signal)
  const codes = {}
  const told = new EventEmitter()
  child.on('message', ({ type, mode, code, answer }) => {
    if (type === 'log') (codes[mode] ??= []).push(code)
    else told.emit(type, answer)
  })
  const answerTo = async (type) => (await once(told, type, { signal: AbortSignal.timeout(patience) }))[0]
  const ask = (command) => {
    child.send(command)
    return answerTo(command)
  }
  return { origins: await answerTo('ready'), codes, ask, ended, kill }
}

function judgeMemory(checkpoints, flooded) {
  const grown = flooded.heapUsed - checkpoints.at(-1).heapUsed
  const slopes = ['heapUsed', 'external'].map((name) => [name, bytesPerRequest(checkpoints, name)])
  console.log({ bytesPerRequest: Object.fromEntries(slopes), bytesOfFlood: grown })
  return [
    ...slopes.filter(([, bytes]) => !(bytes <= maxPerRequest)).map((slope) => `growth: ${slope.join(' ')}`),
    ...(grown <= maxOfFlood ? [] : [`heap after the flood: ${grown}`]),
  ]
}

/** The slope of the least-squares line through the checkpoints. */
function bytesPerRequest(checkpoints, name) {
  const later = checkpoints.filter((point) => point.requests >= warmUp)
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length
  const meanX = mean(later.map((point) => point.requests))
  const meanY = mean(later.map((point) => point[name]))
  const covariance = mean(later.map((point) => (point.requests - meanX) * (point[name] - meanY)))
  return covariance / mean(later.map((point) => (point.requests - meanX) ** 2))
}

function differences(first, point) {
  return ['resources', 'handles', 'descriptors', 'listeners']
    .filter((name) => point[name] !== first[name])
    .map((name) => `${name} after ${point.requests} requests: ${point[name]}, at first ${first[name]}`)
}
