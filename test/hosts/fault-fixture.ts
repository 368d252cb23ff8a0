/* The fixture of the fault tests, for HTTP/1 and HTTP/2. */

/** Long enough that every compression middleware would compress it. */
export const text = 'abcdefghij'.repeat(400)
export const half = text.slice(0, 2000)

const faults = ['reset', 'empty', 'truncated', 'malformed', 'stalled', 'silent'] as const
export type FaultName = (typeof faults)[number]

/** One path per fault: with a body, without a body, and after a delay. */
export const fixture = [
  ...faults.flatMap((fault) => [
    { path: `/${fault}`, response: { body: text, fault } },
    { path: `/${fault}`, method: 'POST', response: { body: text, fault } },
    { path: `/bare/${fault}`, response: { status: 204, fault } },
    { path: `/late/${fault}`, response: { body: text, fault, delay: 40 } },
  ]),
  { path: '/dribble', response: { body: text, fault: { dribble: 200 } } },
  { path: '/bare/dribble', response: { status: 204, fault: { dribble: 100 } } },
  { path: '/slowly', response: { body: text, fault: { dribble: 2_000_000 } } },
  { path: '/delayed', response: { body: 'late', delay: 2_000_000 } },
  { path: '/whole', response: { body: 'whole' } },
]

/** No larger than this: with a larger body, Node's own TLS client reports a reset as an orderly end (curl does not). */
export const posted = 'x'.repeat(10_000)
