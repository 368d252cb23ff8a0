/* Sends requests over many connections at once, and looks at every answer. */
import { openRaw } from '../hosts/raw.ts'
import { createRandom } from './requests.mjs'

const connections = 24
/** Milliseconds after which an answer counts as missing. */
const patience = 15_000
const maxProblems = 20
const maxPipelined = 8
/** Requests after which a client opens a new connection. */
const connectionLength = 40

export function createClient(origins, kinds) {
  const random = createRandom(1)
  const pick = weighted(kinds)
  const pickBeside = Object.fromEntries(
    Object.keys(origins).map((mode) => [
      mode,
      weighted(kinds.filter((kind) => kind.make && kind.mode === mode)),
    ]),
  )
  const outcomes = {}
  const problems = []
  const parked = []
  let sent = 0

  function note({ name }, outcome, problem) {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    if (problem && problems.length < maxProblems) problems.push(`${name}: ${problem}`)
  }

  /** Breaks the connections that are used once the patience is over. */
  async function inTime(run) {
    const used = []
    const open = (connection) => {
      used.push(connection)
      return connection
    }
    const timer = setTimeout(() => used.forEach(({ reset }) => reset()), patience)
    try {
      return await run(open)
    } catch (error) {
      return String(error)
    } finally {
      clearTimeout(timer)
    }
  }

  async function runAlone(kind) {
    note(kind, 'alone', await inTime((open) => kind.run({ origins, open, parked }, random)))
  }

  async function exchange(connection, line) {
    const requests = line.map((kind) => [kind, ...kind.make(random)])
    connection.write(Buffer.concat(requests.map(([, bytes]) => bytes)))
    for (const [kind, , check, isHead] of requests) {
      let status = 'lost'
      const problem = await inTime(async (open) => {
        const answer = await open(connection).next({ isHead })
        if (!answer) return 'no answer'
        status = answer.status
        const wrong = check(answer)
        return wrong && `${wrong}, not ${status} ${answer.text.slice(0, 300)}`
      })
      note(kind, status, problem)
    }
  }

  /** Has one connection to each server, opened when it is needed. */
  function createSession() {
    const opened = new Map()
    const close = () => opened.forEach(({ connection }) => connection.reset())
    async function send(line) {
      const { mode } = line[0]
      let own = opened.get(mode)
      if (!own || own.left <= 0) {
        own?.connection.reset()
        own = { connection: await openRaw(origins[mode]), left: connectionLength }
        opened.set(mode, own)
      }
      own.left -= line.length
      const before = outcomes.lost
      await exchange(own.connection, line)
      if (outcomes.lost !== before) own.left = 0
    }
    return { send, close }
  }

  async function work(end) {
    const session = createSession()
    while (sent < end) {
      const kind = pick(random)
      sent++
      if (kind.run) {
        await runAlone(kind)
        continue
      }
      const more = random.chance(0.1) ? Math.min(1 + random.below(maxPipelined - 1), end - sent) : 0
      sent += more
      await session.send([kind, ...Array.from({ length: more }, () => pickBeside[kind.mode](random))])
    }
    session.close()
  }

  return {
    outcomes,
    problems,
    sent: () => sent,
    /** Sends requests until this number has been sent since the start. */
    runTo: (end) => Promise.all(Array.from({ length: connections }, () => work(end))),
    /** Sends requests of some kinds that share a server, a few at a time. */
    async sendAll(count, some) {
      const session = createSession()
      const next = weighted(some)
      for (let done = 0; done < count; done += maxPipelined)
        await session.send(Array.from({ length: maxPipelined }, () => next(random)))
      session.close()
    },
    /** Closes the connections that wait for ever. */
    leave: () => parked.splice(0).forEach(({ socket }) => socket.destroy()),
  }
}

/** A function that picks one of the list by weight. */
function weighted(list) {
  let total = 0
  const ends = list.map(({ weight }) => (total += weight))
  return (random) => {
    const at = random.next() * total
    return list[ends.findIndex((end) => at < end)]
  }
}
