/* Delays, rate limits and response functions, good and bad. */
import { answers, post, refuses, request } from './http.mjs'

const failed = refuses(500, 'function-failed')

/** @type {import('./index.mjs').SimpleKind[]} */
export const functionKinds = [
  get('delay in a range', 2, (random) => [`/slow/range?n=${random.below(1e6)}`, answers(200, 'slow')]),
  get('delay on a curve', 1, (random) => [`/slow/curve?n=${random.below(1e6)}`, answers(200, 'slow')]),
  get('rate limit', 3, () => ['/limited', withinTheLimit]),
  get('function', 4, (random) => {
    const [a, b] = [random.below(1e6), random.below(1e6)]
    return [`/functions/sum?a=${a}&b=${b}`, answers(200, { sum: a + b })]
  }),
  get('function that waits', 3, (random) => {
    const a = String(random.below(1e6))
    return [`/functions/waits?a=${a}`, answers(202, { waited: a })]
  }),
  {
    name: 'function that changes the request',
    weight: 2,
    mode: 'plain',
    make(random) {
      const body = { n: random.below(1e6), list: [1, { two: 2 }] }
      return { send: post('/functions/echo', body), check: answers(200, body) }
    },
  },
  get('function that throws', 2, () => ['/functions/throws', failed]),
  get('function that rejects', 2, () => ['/functions/rejects', failed]),
  get('function that never settles', 0.5, () => ['/functions/never', refuses(504, 'function-timeout')]),
  get('function that rejects too late', 0.5, () => ['/functions/late', refuses(504, 'function-timeout')]),
  get('predicate that throws', 1, () => ['/functions/predicate', failed]),
  get('function with nonsense', 2, (random) => [
    `/functions/${random.pick(['map', 'circle', 'bigint', 'promises'])}`,
    failed,
  ]),
]

function get(name, weight, make) {
  return {
    name,
    weight,
    mode: 'plain',
    make(random) {
      const [path, check] = make(random)
      return { send: request('GET', path), check }
    },
  }
}

const inTime = answers(200, 'within the limit')
const tooMany = refuses(429, 'rate-limited')

function withinTheLimit(answer) {
  if (answer.status === 200) return inTime(answer)
  return tooMany(answer) ?? (/^\d+$/.test(answer.headers['retry-after']) ? undefined : 'retry-after expected')
}
