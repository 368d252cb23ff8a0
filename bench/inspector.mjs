import { fileURLToPath } from 'node:url'
import { load } from './lib/load.mjs'
import { startServer } from './lib/processes.mjs'
import { works } from './lib/requests.mjs'
import { median, spread } from './lib/stats.mjs'

const subject = fileURLToPath(new URL('subjects/ours.mjs', import.meta.url))

/** The first is what the others are compared with. */
const subjects = [
  { name: 'inspector: false', args: ['off'] },
  { name: 'inspector: false again (A/A)', args: ['off'] },
  { name: 'journal', args: ['on'] },
  { name: 'journal, and overrides of another client', args: ['on'], isSwitched: true },
]

const requestsPerTurn = 500

/** What the journal and the switches cost: CPU time of a request, beside the same server with `inspector: false`. */
export async function inspector({ quick, log }) {
  const rounds = quick ? 15 : 60
  const servers = []
  for (const { args, isSwitched } of subjects) {
    const server = await startServer(subject, { args, probe: works[0] })
    if (isSwitched) await switchOn(server.port)
    servers.push(server)
  }
  try {
    const rows = []
    for (const { name, bytes } of works) {
      log(`Inspector: ${name}`)
      const runs = subjects.map(() => [])
      for (let round = -2; round < rounds; round++) {
        const order = [...servers.keys()]
        for (const index of round % 2 ? order : order.reverse()) {
          const cost = await costOf(servers[index], bytes)
          if (round >= 0) runs[index].push(cost)
        }
      }
      rows.push(...subjects.map((one, index) => rowOf(name, one.name, runs[index], runs[0])))
    }
    const head = ['Request', 'Server', 'CPU µs a request', 'Share of inspector: false']
    return [{ title: 'The inspector, on node:http', head, rows }]
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()))
  }
}

async function costOf({ port, cpu }, bytes) {
  const before = await cpu()
  const { count } = await load(port, bytes, { milliseconds: 10_000, count: requestsPerTurn })
  return ((await cpu()) - before) / count
}

function rowOf(request, server, costs, base) {
  const shares = costs.map((cost, round) => cost / base[round])
  return [request, server, median(costs).toFixed(1), spread(shares, 3)]
}

async function switchOn(port) {
  const response = await fetch(`http://127.0.0.1:${port}/__mock-api/api/overrides`, {
    method: 'PUT',
    headers: { 'x-mock-api': '1', 'x-mock-client': 'another' },
    body: '{ "offline": true }',
  })
  if (!response.ok) throw new Error(await response.text())
}
