/* The soaked process, seen from outside. */
import { fork } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { setTimeout as after } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('server.mjs', import.meta.url))
const patience = 30_000

/** @typedef {Awaited<ReturnType<typeof startSubject>>} Subject */

export async function startSubject(host, folder) {
  const child = fork(script, [host, folder], {
    execArgv: ['--expose-gc', ...memoryFlags],
    env: { ...process.env, NODE_ENV: 'development', VITEST: undefined, NO_COLOR: '1' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  const ended = once(child, 'exit').then(([code, signal]) => code ?? signal)
  /** Reloads and fixture errors, each under the name of its project. */
  const log = new EventEmitter()
  const answers = new EventEmitter()
  child.on('message', ({ type, ...message }) => {
    if (type === 'log') log.emit(message.mode, message)
    else answers.emit(type, message)
  })
  void ended.then((how) => answers.emit('error', new Error(`The server has ended (${how}).`)))
  answers.on('error', () => {}) // before the end nobody need be waiting

  const { ports } = await answerTo('ready')
  return { ports, log, ask, endsByItself, kill: () => void child.kill('SIGKILL') }

  /** How it ended; `undefined` while it runs. */
  async function endsByItself() {
    const stop = new AbortController()
    const late = after(patience, undefined, { signal: stop.signal }).catch(() => undefined)
    const end = await Promise.race([ended, late])
    stop.abort()
    return end
  }

  async function answerTo(type) {
    const signal = AbortSignal.timeout(patience)
    const [message] = await once(answers, type, { signal }).catch((error) => {
      throw signal.aborted ? new Error(`nothing came of "${type}" within ${patience} ms`) : error
    })
    return message
  }

  /** @param {'measure' | 'close'} command */
  async function ask(command) {
    const answer = answerTo(command)
    child.send(command)
    return (await answer).answer
  }
}

/** Optimised code takes megabytes now and then. Without it, the heap holds only data. */
const memoryFlags = ['--no-opt', '--no-sparkplug', '--no-flush-bytecode']
