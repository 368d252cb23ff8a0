import { compare, subject, timesByCpu, timesOf } from './lib/compare.mjs'
import { makeViteProject } from './lib/project.mjs'
import { works } from './lib/requests.mjs'
import { median, thousands } from './lib/stats.mjs'

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
  return subject(name, 'vite', { project: () => makeViteProject(plugin) })
}

/** @param {{ quick: boolean, alone: boolean, log: (line: string) => void }} options */
export async function http({ quick, alone, log }) {
  const limits = quick ? { rounds: 5, milliseconds: 120 } : { rounds: 15, milliseconds: 250 }
  if (alone)
    return [summary(await run('alone', bare.slice(0, 3), { ...limits, rounds: 2 * limits.rounds }, log))]
  const onNode = await run('On bare `node:http`', bare, limits, log)
  const onVite = await run('In a Vite dev server', inVite, limits, log)
  return [
    summary(onNode),
    table('On bare `node:http`', bare, onNode),
    table('In a Vite dev server', inVite, onVite),
  ]
}

function run(title, subjects, limits, log) {
  const logRound = (round) => log(`${title}: round ${round + 1} of ${limits.rounds}`)
  return compare(subjects, works, limits, logRound)
}

/** What a request costs on `node:http`: the CPU time of the floor, divided by that of the package. */
function summary([floor, again, ours]) {
  const rows = works.map(({ name }, w) => [
    name,
    timesByCpu(ours[w], floor[w]),
    timesByCpu(again[w], floor[w]),
  ])
  const head = ['Request', 'unplugin-mock-api, of the floor by CPU time (quartiles)', 'Floor again (A/A)']
  return { title: 'CPU time of a request on bare `node:http`', head, rows }
}

function table(title, subjects, results) {
  const rows = works.flatMap((work, w) =>
    subjects.map(({ name }, s) => {
      const runs = results[s][w]
      if (runs.length === 0) return [work.name, name, 'not possible', '', '', '']
      const floor = results[0][w]
      return [
        work.name,
        name,
        thousands(median(runs.map(({ perSecond }) => perSecond))),
        timesOf(runs, floor),
        median(runs.map(({ cpu }) => cpu)).toFixed(1),
        timesByCpu(runs, floor),
      ]
    }),
  )
  const head = [
    'Request',
    'Subject',
    'Requests/s',
    'Share of the floor (quartiles)',
    'CPU µs a request',
    'Share by CPU time',
  ]
  return { title, head, rows }
}
