import { createInterface } from 'node:readline/promises'
import { styleText } from 'node:util'

/** Scripts and CI depend on these numbers. */
export const exitCodes = {
  fine: 0,
  /** Errors found, or the command failed. */
  failed: 1,
  /** The arguments or options are wrong. */
  usage: 2,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Arguments contradict each other, or name something that does not exist. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export interface Terminal {
  cwd: string
  /** Input and output are a terminal: someone can answer a question. */
  isInteractive: boolean
  print: (text: string) => void
  /** Errors and progress go to standard error. */
  note: (text: string) => void
  /** Writes a line below the notes that the next one replaces; absent where nobody looks. */
  status?: (text: string) => void
  style: (format: Parameters<typeof styleText>[0], text: string) => string
  /** No answer is a no. */
  confirm: (question: string) => Promise<boolean>
}

export function processTerminal(): Terminal & { end: (exitCode: ExitCode) => void } {
  const { stdin, stdout, stderr } = process
  // The reader of a pipe may end first: `unplugin-mock-api check | head`.
  for (const stream of [stdout, stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  let hasStatus = false
  const clear = () => {
    const line = hasStatus ? '\r\u001b[K' : ''
    hasStatus = false
    return line
  }
  const status = (text: string) => {
    stderr.write(`${clear()}${text.slice(0, stderr.columns - 1)}`)
    hasStatus = text !== ''
  }
  return {
    cwd: process.cwd(),
    isInteractive: stdin.isTTY && stdout.isTTY && !process.env['CI'],
    print: (text) => void stdout.write(`${text}\n`),
    note: (text) => void stderr.write(`${clear()}${text}\n`),
    ...(stderr.isTTY && { status }),
    style: (format, text) => styleText(format, text, { stream: stdout }),
    confirm: ask,
    end: (exitCode) => {
      // What was written to a pipe has to arrive before the process ends.
      stdout.write('', () => stderr.write('', () => process.exit(exitCode)))
    },
  }
}

async function ask(question: string): Promise<boolean> {
  const { stdin: input, stdout: output } = process
  const readline = createInterface({ input, output })
  const closed = new Promise<string>((resolve) => readline.once('close', () => resolve('')))
  const answer = await Promise.race([readline.question(`${question} (y/N) `), closed])
  readline.close()
  return /^y(?:es)?$/i.test(answer.trim())
}

/** Milliseconds until the first line, and between two. */
const interval = 1000

export type Progress = (text: () => string) => void

/** Says how far a command is, at most once a second, and nothing of what takes less. */
export function createProgress({ note }: Pick<Terminal, 'note'>, now = () => performance.now()): Progress {
  let next = now() + interval
  return (text) => {
    if (now() < next) return
    note(text())
    next = now() + interval
  }
}
