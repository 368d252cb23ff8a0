import { fileURLToPath } from 'node:url'
import { compare, subject, timesByCpu, timesOf } from './lib/compare.mjs'
import { verify, works } from './lib/graphql-data.mjs'
import { runWorker } from './lib/processes.mjs'
import { median, thousands } from './lib/stats.mjs'

const worker = fileURLToPath(new URL('workers/graphql-calls.mjs', import.meta.url))

const subjects = [
  subject('floor', 'graphql-floor', { verify: verify.fixed }),
  subject('floor again (A/A)', 'graphql-floor', { verify: verify.fixed }),
  ours('fixed', verify.fixed),
  ours('located', verify.located),
  ours('shaped', verify.fixed),
  ours('checked', verify.filled),
  subject('graphql-yoga', 'graphql-yoga', { verify: verify.filled }),
]
const [floor, , fixed] = subjects
const yoga = subjects.at(-1)

function ours(way, check) {
  return subject(way, 'graphql-ours', { args: [way], verify: check })
}

/** The ways of answering GraphQL, compared with graphql-yoga and `@graphql-tools/mock`; and the cost of each step. */
export async function graphql({ quick, log }) {
  const limits = quick ? { rounds: 5, milliseconds: 120 } : { rounds: 15, milliseconds: 250 }
  const title = 'GraphQL, on bare `node:http`'
  const results = await compare(subjects, works, limits, (round) =>
    log(`${title}: round ${round + 1} of ${limits.rounds}`),
  )
  log('GraphQL, in process')
  return [table(title, results), parts(quick)]
}

function table(title, results) {
  const rows = works.flatMap((work, w) =>
    subjects.map(({ name }, s) => {
      const runs = results[s][w]
      const runsOf = (other) => results[subjects.indexOf(other)][w]
      return [
        work.name,
        name,
        thousands(median(runs.map(({ perSecond }) => perSecond))),
        timesOf(runs, runsOf(floor)),
        timesOf(runs, runsOf(fixed)),
        timesOf(runs, runsOf(yoga)),
        median(runs.map(({ cpu }) => cpu)).toFixed(1),
        timesByCpu(runs, runsOf(fixed)),
        timesByCpu(runs, runsOf(yoga)),
      ]
    }),
  )
  const head = [
    'Request',
    'Subject',
    'Requests/s',
    'Share of the floor (quartiles)',
    'Times fixed',
    'Times yoga',
    'CPU µs a request',
    'Times fixed by CPU time',
    'Times yoga by CPU time',
  ]
  return { title, head, rows }
}

function parts(quick) {
  const rows = runWorker(worker, quick ? ['quick'] : []).map(({ name, microseconds }) => [
    name,
    microseconds.toFixed(microseconds < 10 ? 2 : 1),
  ])
  return { title: 'GraphQL, in process', head: ['Step', 'µs a call'], rows }
}
