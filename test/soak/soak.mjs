/*
 * `npm run soak`: the built package under mixed requests, with reloads and aborts, in each host in turn. Fails when an
 * answer is wrong, when memory or handles grow, or when the process does not end by itself.
 *
 *   --requests 200000  in all, shared out among the hosts
 *   --hosts node,vite
 *   --seed 1           of the requests
 *   --only text        kinds of requests whose name or mode holds this text
 *   --without text     leaves such kinds out
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createClient } from './client.mjs'
import { createEditor, editedFiles } from './edits.mjs'
import { request } from './kinds/http.mjs'
import { floodKinds } from './kinds/graphql.mjs'
import { fillings, kindsFor } from './kinds/index.mjs'
import { writeProjects } from './project.mjs'
import { printReport } from './report.mjs'
import { startSubject } from './subject.mjs'
import { findFaults } from './verdict.mjs'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '200000' },
    hosts: { type: 'string', default: 'node,vite' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    without: { type: 'string' },
  },
})
const hostNames = values.hosts.split(',')
const requests = Math.ceil(Number(values.requests) / hostNames.length)
const editEvery = 150
/** With fewer requests, memory is not judged: the bounded caches take more than a leak would. */
const isJudged = requests >= 40_000
const checkpointEvery = Math.ceil(requests / (isJudged ? 10 : 3))
const floodSize = 3_000

for (const host of hostNames) {
  const folder = mkdtempSync(join(tmpdir(), 'mock-api-soak-'))
  try {
    const report = await soak(host, folder)
    printReport(report)
    if (report.faults.length > 0) process.exitCode = 1
  } catch (error) {
    process.stdout.write(`\n${host}: FAULT ${error.stack}\n`)
    process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function soak(host, folder) {
  const begin = performance.now()
  writeProjects(folder)
  const subject = await startSubject(host, folder)
  try {
    return await soakSubject(host, folder, subject, begin)
  } finally {
    subject.kill()
  }
}

async function soakSubject(host, folder, subject, begin) {
  const files = editedFiles()
  const kinds = kindsFor(host, files).filter(isWanted)
  const client = createClient({ ports: subject.ports, seed: Number(values.seed), kinds })
  let isBroken = false
  const editor = createEditor(folder, files, subject.log, (file) => client.ask(file.mode, file.ask))

  if (isJudged) for (const filling of fillings(kinds)) await client.sendAll(filling.count, filling.kinds)
  await editor.renew()
  const checkpoints = [{ requests: 0, ...(await subject.ask('measure')) }]
  while (client.sent < requests) {
    const end = Math.min(client.sent + checkpointEvery, requests)
    const perSecond = await sendUntil(end)
    client.leave()
    await editor.renew()
    checkpoints.push({ requests: end, perSecond, ...(await subject.ask('measure')) })
  }

  const flooded = isJudged ? await flood() : undefined
  const left = await client.waitForEver(
    ['/late', '/fault/silent', '/fault/stalled', '/functions/never'].map(behindAPage),
  )
  const closed = await subject.ask('close')
  await Promise.all(left.map(({ gone }) => gone))
  const ended = await subject.endsByItself()
  const { outcomes, problems, answered, byKind } = client
  const seconds = (performance.now() - begin) / 1000
  const run = {
    host,
    seconds,
    isJudged,
    checkpoints,
    flooded,
    outcomes,
    byKind,
    answered,
    edits: editor.counts,
    closed,
  }
  return { ...run, faults: findFaults({ ...run, problems, ended }) }

  async function flood() {
    await client.sendAll(floodSize, floodKinds)
    return subject.ask('measure')
  }

  /** Requests and edits side by side; after a failed edit, requests alone. */
  async function sendUntil(end) {
    const start = performance.now()
    const from = client.sent
    let isRunning = true
    const running = client.runTo(end).finally(() => (isRunning = false))
    let next = from
    while (isRunning) {
      next = Math.max(next + editEvery, client.sent)
      await Promise.race([client.reached(next), running])
      if (isRunning && !isBroken) await editOnce()
    }
    await running
    return Math.round((end - from) / ((performance.now() - start) / 1000))
  }

  async function editOnce() {
    try {
      await editor.edit()
    } catch (error) {
      isBroken = true
      client.problems.push(`edit: ${error.message}`)
    }
  }
}

function isWanted({ name, mode }) {
  const words = `${name} (${mode})`
  return words.includes(values.only) && !(values.without && words.includes(values.without))
}

/** The server has read it when the answer to the first request arrives. */
function behindAPage(path) {
  return Buffer.concat([request('GET', '/orders/7'), request('GET', path)])
}
