import { fileURLToPath } from 'node:url'
import { ask, load } from './lib/load.mjs'
import { startServer } from './lib/processes.mjs'
import { makeViteProject } from './lib/project.mjs'
import { works } from './lib/requests.mjs'
import { median, spread, thousands } from './lib/stats.mjs'

/*
 * Requests per second over HTTP, side by side. All servers run at once and take turns, so whatever the machine does
 * meanwhile falls on all of them; each measurement is divided by that of the floor in the same round.
 */

const subject = (name, script, { args = [], skip = [] } = {}) => ({
  name,
  script: fileURLToPath(new URL(`subjects/${script}.mjs`, import.meta.url)),
  args,
  skip,
})

const bare = [
  subject('floor', 'floor'),
  subject('floor again (A/A)', 'floor'),
  subject('unplugin-mock-api', 'ours'),
  subject('mocker-api', 'express-mock', { args: ['mocker-api'] }),
  subject('msw (http-middleware)', 'express-mock', { args: ['msw'] }),
  subject('json-server', 'json-server', { skip: ['hero query', 'failing query'] }),
  subject('Mockoon CLI', 'mockoon', { skip: ['not ours'] }),
]

const inVite = [
  viteSubject('floor', 'floor'),
  viteSubject('floor again (A/A)', 'floor'),
  viteSubject('unplugin-mock-api', 'ours'),
  viteSubject('vite-plugin-mock-dev-server'),
  viteSubject('vite-plugin-fake-server'),
]

function viteSubject(name, plugin = name) {
  return { ...subject(name, 'vite'), plugin }
}

/** @param {{ quick: boolean, log: (line: string) => void }} options */
export async function http({ quick, log }) {
  const limits = quick ? { rounds: 5, milliseconds: 120 } : { rounds: 15, milliseconds: 250 }
  return [
    await compare('On bare `node:http`', bare, limits, log),
    await compare('In a Vite dev server', inVite, limits, log),
  ]
}

async function compare(title, subjects, { rounds, milliseconds }, log) {
  const servers = []
  try {
    for (const { script, args, plugin } of subjects) {
      const cwd = plugin && makeViteProject(plugin)
      servers.push(await startServer(script, { args, probe: works[0], cwd }))
    }
    const results = subjects.map(() => works.map(() => []))
    for (let round = -1; round < rounds; round++) {
      log(`${title}: round ${round + 1} of ${rounds}`)
      for (const [w, work] of works.entries()) {
        for (const [s, { name, skip }] of subjects.entries()) {
          if (skip.includes(work.name)) continue
          const { port, cpu } = servers[s]
          if (round < 0) {
            await verify(name, port, work)
            await load(port, work.bytes, { milliseconds: milliseconds * 3 })
            continue
          }
          const before = await cpu()
          const { perSecond, count } = await load(port, work.bytes, { milliseconds })
          results[s][w].push({ perSecond, cpu: ((await cpu()) - before) / count })
        }
      }
    }
    return table(title, subjects, results)
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()))
  }
}

async function verify(name, port, work) {
  try {
    work.verify(await ask(port, work.bytes))
  } catch (error) {
    throw new Error(`${name} answers "${work.name}" wrongly`, { cause: error })
  }
}

function table(title, subjects, results) {
  const rows = works.flatMap((work, w) =>
    subjects.flatMap(({ name }, s) => {
      const runs = results[s][w]
      if (runs.length === 0) return [[work.name, name, 'not possible', '', '', '']]
      const ratio = (of, unit) =>
        spread(
          runs.map((run, round) => unit(run, results[of][w][round])),
          2,
        )
      return [
        [
          work.name,
          name,
          thousands(median(runs.map(({ perSecond }) => perSecond))),
          ratio(0, (run, floor) => run.perSecond / floor.perSecond),
          median(runs.map(({ cpu }) => cpu)).toFixed(1),
          ratio(0, (run, floor) => floor.cpu / run.cpu),
        ],
      ]
    }),
  )
  const head = [
    'Request',
    'Subject',
    'Requests/s',
    'Share of the floor (quartiles)',
    'CPU µs a request',
    'The same by CPU time',
  ]
  return { title, head, rows }
}
