/* Sends requests over many connections at once, and looks at every answer. */
import { setTimeout as after } from 'node:timers/promises'
import { openConnection } from './connection.mjs'
import { createRandom, seedOf } from './random.mjs'

const connections = 24
/** Milliseconds after which an answer counts as missing. */
const patience = 15_000
const maxProblems = 20
const maxPipelined = 8

export function createClient({ ports, seed, kinds }) {
  const simpleKinds = groupByMode(kinds)
  const pickKind = weighted(kinds)
  const pickSimple = Object.fromEntries(
    Object.entries(simpleKinds).map(([mode, ofMode]) => [mode, weighted(ofMode)]),
  )
  const outcomes = {}
  const byKind = new Map()
  const problems = []
  const parked = []
  const waiting = new Set()
  let position = 0
  let whenDone = () => {}

  function note(kind, outcome, problem) {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    byKind.set(kind.name, (byKind.get(kind.name) ?? 0) + 1)
    if (problem !== undefined && problems.length < maxProblems) problems.push(`${kind.name}: ${problem}`)
    whenDone()
  }

  function noteAnswer(kind, answer, check) {
    if (answer.closed) return note(kind, 'lost', `connection closed (${answer.closed}) in place of an answer`)
    const problem = attempt(() => check(answer))
    note(kind, answer.status, problem && `${problem}, not ${answer.status} ${answer.text.slice(0, 300)}`)
  }

  /** One of the workers, with one connection to each server, opened when it is needed. */
  function createSession() {
    const open = new Map()
    return {
      async to(mode) {
        let connection = open.get(mode)
        if (!connection?.isOpen) open.set(mode, (connection = await openConnection(ports[mode])))
        return connection
      },
      close: () => open.forEach((connection) => connection.leave()),
    }
  }

  async function work(session, end) {
    while (position < end) {
      const random = createRandom(seedOf(seed, position++))
      const kind = pickKind(random)
      if (kind.run) {
        await watch(kind, (tools) => kind.run(tools, random)).then(
          ({ outcome, problem }) => note(kind, outcome, problem),
          (error) => note(kind, 'lost', String(error)),
        )
        continue
      }
      const line = [kind]
      if (random.chance(0.1)) {
        const more = Math.min(1 + random.below(maxPipelined - 1), end - position)
        position += more
        for (let i = 0; i < more; i++) line.push(pickSimple[kind.mode](random))
      }
      await exchange(session, line, random)
    }
  }

  async function exchange(session, line, random) {
    const connection = await session.to(line[0].mode)
    const requests = line.map((kind) => ({ kind, ...kind.make(random) }))
    connection.write(
      requests.length === 1 ? requests[0].send : Buffer.concat(requests.map(({ send }) => send)),
    )
    for (const { kind, isHead, check } of requests) {
      const answer = await watch(kind, () => connection.next(isHead), [connection])
      noteAnswer(kind, answer, check)
    }
  }

  /** Registers what is awaited, so that a missing answer is reported. */
  async function watch(kind, run, used = []) {
    const entry = { kind, since: performance.now(), used }
    waiting.add(entry)
    try {
      return await run({ parked, open: (mode) => openOwn(mode, used) })
    } finally {
      waiting.delete(entry)
    }
  }

  async function openOwn(mode, used) {
    const connection = await openConnection(ports[mode])
    used.push(connection)
    return connection
  }

  async function giveUpLate(signal) {
    try {
      for (;;) {
        await after(1_000, undefined, { signal })
        for (const entry of waiting) {
          if (performance.now() - entry.since < patience) continue
          if (problems.length < maxProblems)
            problems.push(`${entry.kind.name}: no answer within ${patience} ms`)
          entry.used.forEach((connection) => connection.leave())
        }
      }
    } catch {
      // all answers have arrived
    }
  }

  return {
    outcomes,
    byKind,
    problems,
    get sent() {
      return position
    },
    get answered() {
      return Object.values(outcomes).reduce((sum, count) => sum + count, 0)
    },
    /** Sends requests until this number has been sent since the start, and closes. */
    async runTo(end) {
      const stop = new AbortController()
      void giveUpLate(stop.signal)
      const sessions = Array.from({ length: connections }, createSession)
      await Promise.all(sessions.map((session) => work(session, end)))
      stop.abort()
      sessions.forEach((session) => session.close())
    },
    /** Sends requests of some kinds that share a server, one kind or any of them, a few at a time. */
    async sendAll(count, some) {
      const session = createSession()
      const next = weighted(some)
      const random = createRandom(seedOf(seed, -1))
      for (let sent = 0; sent < count; sent += maxPipelined) {
        await exchange(
          session,
          Array.from({ length: maxPipelined }, () => next(random)),
          random,
        )
      }
      session.close()
    },
    /** Resolves when this number of requests has been sent since the start. */
    reached: (count) =>
      new Promise((resolve) => {
        const look = () => position >= count && resolve()
        whenDone = look
        look()
      }),
    /** Closes the connections that wait for ever. */
    leave: () => parked.splice(0).forEach((connection) => connection.leave()),
    /** One request on a connection of its own. */
    async ask(mode, send) {
      const connection = await openConnection(ports[mode])
      connection.write(send)
      const answer = await connection.next()
      connection.leave()
      return answer
    },
    /** Connections that the server has to end when it closes. */
    async waitForEver(send) {
      const opened = await Promise.all(send.map(() => openConnection(ports.plain)))
      opened.forEach((connection, index) => connection.write(send[index]))
      await Promise.all(opened.map((connection) => connection.next()))
      return opened
    },
  }
}

function attempt(check) {
  try {
    return check()
  } catch (error) {
    return String(error)
  }
}

function groupByMode(kinds) {
  const groups = {}
  for (const kind of kinds) if (kind.make) (groups[kind.mode] ??= []).push(kind)
  return groups
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
