import { Command, CommanderError } from 'commander'
import { version } from '../../package.json'
import { visible } from '../core/diagnostics/format.ts'
import { reasonOf } from '../core/values/thrown.ts'
import { commands } from './commands.ts'
import { exitCodes, UsageError, type ExitCode, type Terminal } from './terminal.ts'

/**
 * Runs the command that the arguments name. Never rejects: an error is written to the terminal.
 *
 * @param args without the program: `['check', '--format', 'json']`
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let exitCode: ExitCode = exitCodes.fine
  const program = new Command('unplugin-mock-api')
    .description('A mock API inside the dev server you already run.')
    .version(version)
    .showHelpAfterError('(--help lists the commands and their options)')
    .addHelpText('after', '\nEach command has its own options: unplugin-mock-api <command> --help')
  program.exitOverride().configureOutput({
    writeOut: (text) => terminal.print(text.replace(/\n$/, '')),
    writeErr: (text) => terminal.note(text.replace(/\n$/, '')),
  })
  for (const add of commands)
    add(program, (load) => async (...parameters) => {
      exitCode = await (await load())(terminal, ...parameters)
    })
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    // Commander has written its message by itself. Its exit code is 0 for --help and --version.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.fine : exitCodes.usage
    terminal.note(visible(`error: ${reasonOf(error)}`))
    return error instanceof UsageError ? exitCodes.usage : exitCodes.failed
  }
}
