import type { Command } from 'commander'
import type { ExitCode } from './exit-code.ts'
import type { Terminal } from './terminal.ts'

/** Makes the action of a command from its module, which is imported when the command runs. */
export type MakeAction = <Parameters extends unknown[]>(
  load: () => Promise<(terminal: Terminal, ...parameters: Parameters) => Promise<ExitCode>>,
) => (...parameters: Parameters) => Promise<void>

/** Adds a command to the program. */
export type AddCommand = (program: Command, action: MakeAction) => void

const init: AddCommand = (program, action) =>
  program
    .command('init')
    .summary('add the plugin and the first fixture files to a project')
    .description(
      'Adds the plugin to the config of the bundler, and the starter templates to the folder fixtures. It shows the change, and asks before it writes.',
    )
    .option('--root <folder>', 'the folder of the project (default: the working directory)')
    .option('--config <file>', 'the config, if there are several')
    .option('-y, --yes', 'write without asking')
    .action(action(async () => (await import('./commands/init.ts')).init))

const check: AddCommand = (program, action) =>
  program
    .command('check')
    .summary('check the fixture files')
    .description('Reads all fixture files, and reports every error and warning in them.')
    .option('--root <folder>', 'the folder of the project (default: the working directory)')
    .option('--fixtures <places...>', 'folders, files or globs of the fixture files', ['fixtures'])
    .action(action(async () => (await import('./commands/check.ts')).check))

/** All commands, in the order of the help. */
export const commands: readonly AddCommand[] = [init, check]
