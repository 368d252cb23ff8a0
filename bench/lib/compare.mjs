import { fileURLToPath } from 'node:url'
import { ask, load } from './load.mjs'
import { startServer } from './processes.mjs'
import { spread } from './stats.mjs'

/*
 * Requests per second over HTTP, compared. All servers run at once and take turns, so other load on the machine affects all
 * of them; each measurement is divided by that of another subject in the same round.
 */

/**
 * @typedef {object} Subject
 * @property {string} name
 * @property {string} script
 * @property {string[]} args
 * @property {string[]} skip names of the requests that it can't answer
 * @property {() => string} [project] makes the folder that it runs in
 * @property {(body: string) => void} [verify] throws when an answer is wrong, if that depends on the subject
 *
 * @typedef {{ perSecond: number, cpu: number }} Run
 */

/**
 * @param {string} name
 * @param {string} script the name of a file in `subjects/`
 * @param {Partial<Subject>} [others]
 * @returns {Subject}
 */
export function subject(name, script, others = {}) {
  const path = fileURLToPath(new URL(`../subjects/${script}.mjs`, import.meta.url))
  return { name, script: path, args: [], skip: [], ...others }
}

/**
 * @param {Subject[]} subjects
 * @param {import('./requests.mjs').Work[]} works the first is used to check that a server is ready
 * @param {{ rounds: number, milliseconds: number }} limits
 * @param {(round: number) => void} log
 * @returns {Promise<Run[][][]>} runs by subject and work, one per round
 */
export async function compare(subjects, works, { rounds, milliseconds }, log) {
  const servers = []
  try {
    for (const { script, args, project, verify } of subjects) {
      const probe = { ...works[0], ...(verify && { verify }) }
      servers.push(await startServer(script, { args, probe, cwd: project?.() }))
    }
    const results = subjects.map(() => works.map(() => []))
    // In two rounds beforehand, Node compiles what runs often.
    for (let round = -2; round < rounds; round++) {
      log(round)
      for (const [w, work] of works.entries()) {
        // Every other round in reverse, so that what comes later is not at an advantage.
        const turns = [...subjects.entries()]
        for (const [s, { name, skip, verify = work.verify }] of round % 2 === 0 ? turns : turns.reverse()) {
          if (skip.includes(work.name)) continue
          const { port, cpu } = servers[s]
          if (round < 0) {
            await check(name, port, work, verify)
            await load(port, work.bytes, { milliseconds: milliseconds * 3 })
            continue
          }
          const before = await cpu()
          const { perSecond, count } = await load(port, work.bytes, { milliseconds })
          results[s][w].push({ perSecond, cpu: ((await cpu()) - before) / count })
        }
      }
    }
    return results
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()))
  }
}

async function check(name, port, work, verify) {
  try {
    verify(await ask(port, work.bytes))
  } catch (error) {
    throw new Error(`${name} answers "${work.name}" wrongly`, { cause: error })
  }
}

/**
 * How much faster one subject is than another: the median of the rounds, and the quartiles.
 *
 * @param {Run[]} runs @param {Run[]} others
 */
export function timesOf(runs, others) {
  return spread(
    runs.map(({ perSecond }, round) => perSecond / others[round].perSecond),
    2,
  )
}

/** The same by CPU time, which other processes affect less. @param {Run[]} runs @param {Run[]} others */
export function timesByCpu(runs, others) {
  return spread(
    runs.map(({ cpu }, round) => others[round].cpu / cpu),
    2,
  )
}
