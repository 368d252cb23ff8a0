import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { onTestFinished } from 'vitest'
import { run } from '../../src/cli/run.ts'
import type { ExitCode } from '../../src/cli/terminal.ts'

export interface Ran {
  exitCode: ExitCode
  /** What was written to standard output. */
  stdout: string
  /** What was written to standard error. */
  stderr: string
  /** The questions that were asked. */
  questions: string[]
}

/**
 * Runs a command in a folder.
 *
 * @param answer what someone at the terminal answers to each question; without it, nobody is there
 */
export async function runIn(
  cwd: string,
  args: readonly string[],
  answer?: boolean | (() => boolean),
): Promise<Ran> {
  const ran = { stdout: '', stderr: '', questions: [] as string[] }
  const exitCode = await run(args, {
    cwd,
    isInteractive: answer !== undefined,
    print: (text) => void (ran.stdout += `${text}\n`),
    note: (text) => void (ran.stderr += `${text}\n`),
    style: (_, text) => stripVTControlCharacters(text),
    confirm(question) {
      ran.questions.push(question)
      return Promise.resolve(typeof answer === 'function' ? answer() : (answer ?? false))
    },
  })
  return { exitCode, ...ran }
}

/** A folder with files in it, and nothing else, until the test has finished. */
export function folderWith(files: Record<string, string | Uint8Array> = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'cli-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
  return root
}
