import { createInterface } from 'node:readline/promises'
import { styleText } from 'node:util'

/** What the process reports: scripts and CI depend on these numbers. */
export const exitCodes = {
  /** Everything is fine. */
  fine: 0,
  /** The command has found something, or it has failed. */
  failed: 1,
  /** The command was called with wrong arguments or options. */
  usage: 2,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Thrown by a command whose arguments contradict each other, or name something that does not exist. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Where a command runs, and what it writes to. Tests have their own. */
export interface Terminal {
  /** The folder that relative paths start from. */
  cwd: string
  /** Whether someone can answer a question: input and output are a terminal. */
  isInteractive: boolean
  /** Writes a line of the result, to standard output. */
  print: (text: string) => void
  /** Writes a line about the run, such as an error or the progress, to standard error. */
  note: (text: string) => void
  /** Formats text, if the output shows formats: not in a pipe, nor with `NO_COLOR`. */
  style: (format: Parameters<typeof styleText>[0], text: string) => string
  /** Asks a question that is answered with yes or no. No answer is a no. */
  confirm: (question: string) => Promise<boolean>
}

/** The terminal of this process. */
export function processTerminal(): Terminal & { end: (exitCode: ExitCode) => void } {
  const { stdin, stdout, stderr } = process
  // The reader of a pipe may end first: `unplugin-mock-api check | head`.
  for (const stream of [stdout, stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  return {
    cwd: process.cwd(),
    isInteractive: stdin.isTTY && stdout.isTTY && !process.env['CI'],
    print: (text) => void stdout.write(`${text}\n`),
    note: (text) => void stderr.write(`${text}\n`),
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
