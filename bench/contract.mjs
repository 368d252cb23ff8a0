import { isDeepStrictEqual } from 'node:util'
import { readFileSync } from 'node:fs'
import { subject } from './lib/compare.mjs'
import { startServer } from './lib/processes.mjs'
import { works } from './lib/requests.mjs'

/*
 * The contract of the starter templates, as the suite has it, asked of other tools that are set up for the same answers. Bodies
 * are compared whole, also where an error says the place in the document that was sent.
 */

const { answers, cases } = JSON.parse(readFileSync(new URL('../test/contract.json', import.meta.url), 'utf8'))

const subjects = [
  subject('unplugin-mock-api', 'ours'),
  subject('msw (http-middleware)', 'express-mock', { args: ['msw'] }),
  subject('mocker-api', 'express-mock', { args: ['mocker-api'] }),
  subject('json-server', 'json-server'),
  subject('Mockoon CLI', 'mockoon'),
]

/** @param {{ log: (line: string) => void }} options */
export async function contract({ log }) {
  const rows = []
  for (const { name, script, args } of subjects) {
    log(`Contract: ${name}`)
    const server = await startServer(script, { args, probe: works[0] })
    try {
      const failed = []
      for (const one of cases) if (!(await holds(server.port, one))) failed.push(one.name)
      rows.push([name, `${cases.length - failed.length} of ${cases.length}`, failed.join('; ')])
    } finally {
      await server.stop()
    }
  }
  const head = ['Subject', 'Cases that hold', 'Others']
  return [{ title: 'The contract of the starter templates', head, rows }]
}

/** Whether the status and the JSON of the answer are those of the case. Headers are not compared: each tool has its own. */
async function holds(port, { request: { method = 'GET', url, headers, body }, answer }) {
  // Without a type of its own, `fetch` would send one for a text.
  const sent = body === undefined ? undefined : Buffer.from(body)
  const response = await fetch(`http://127.0.0.1:${port}${url}`, { method, headers, body: sent })
  const text = await response.text()
  try {
    return response.status === 200 && isDeepStrictEqual(JSON.parse(text), answers[answer])
  } catch {
    return false // not JSON
  }
}
