import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { version } from '../../package.json'
import { visible } from '../core/diagnostics/format.ts'
import { parseOrigin } from '../core/http/host-name.ts'
import { usersIn } from '../core/values/url-user.ts'
import { reasonOf } from '../core/values/thrown.ts'
import { FileError } from '../files/file-error.ts'
import { formats } from './check/report.ts'
import type { ImportOptions } from './commands/import.ts'
import { resourceTypes } from '../writer/har/har-filter.ts'
import { exitCodes, UsageError, type ExitCode, type Terminal } from './terminal.ts'

/** A command's module is imported when it runs. */
type MakeAction = <Parameters extends unknown[]>(
  load: () => Promise<(terminal: Terminal, ...parameters: Parameters) => Promise<ExitCode>>,
) => (...parameters: Parameters) => Promise<void>

/**
 * Never rejects: errors are written to the terminal.
 *
 * @param args without the program: `['check', '--format', 'json']`
 */
export async function run(args: readonly string[], given: Terminal): Promise<ExitCode> {
  const terminal = withoutUsers(given, args)
  let exitCode: ExitCode = exitCodes.fine
  const program = new Command('unplugin-mock-api')
    .description('A mock API inside the dev server you already run.')
    .version(version)
    .showHelpAfterError('(--help lists the commands and their options)')
    .addHelpText('after', '\nEach command has its own options: unplugin-mock-api <command> --help')
  program.enablePositionalOptions() // `import` has options, and so have its own commands
  program.exitOverride().configureOutput({
    writeOut: (text) => terminal.print(text.replace(/\n$/, '')),
    writeErr: (text) => terminal.note(text.replace(/\n$/, '')),
  })
  for (const add of [addInit, addServe, addCheck, addImport, addExplore, addBundle, addMcp])
    add(program, (load) => async (...parameters) => {
      exitCode = await (await load())(terminal, ...parameters)
    })
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    // Commander has written its message. Its exit code is 0 for --help and --version.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.fine : exitCodes.usage
    const fix = error instanceof FileError ? `\n  Fix: ${visible(error.fix)}` : ''
    terminal.note(`${visible(`error: ${reasonOf(error)}`)}${fix}`)
    return error instanceof UsageError ? exitCodes.usage : exitCodes.failed
  }
}

/** No message repeats the password of an address in the arguments. */
function withoutUsers({ print, note, confirm, ...others }: Terminal, args: readonly string[]): Terminal {
  const users = args.flatMap(usersIn)
  const hide = (text: string) => users.reduce((shown, user) => shown.replaceAll(user, '…@'), text)
  return {
    ...others,
    print: (text) => print(hide(text)),
    note: (text) => note(hide(text)),
    confirm: (question) => confirm(hide(question)),
  }
}

const root = ['--root <folder>', 'the folder of the project (default: the working directory)'] as const
const fixtures = [
  '--fixtures <places...>',
  'folders, files or globs of the fixture files (default: fixtures)',
] as const
const originOfImport = [
  '--origin <url>',
  "the application's own origin: requests to it get a path, those to others a url",
] as const
const urlOfImport = [
  '--url <text>',
  'only URLs with this text, in which * stands for any characters',
] as const
const onlyOfImport = () =>
  new Option('--only <types...>', 'of a HAR file, only these types of requests').choices(resourceTypes)
const errorsOfImport = [
  '--errors',
  'also write documented errors, as scenarios named after their status',
] as const
const collectionsOfImport = [
  '--collections',
  'write collections for paths that list, get and create items',
] as const
const baseOfImport = [
  '--base <path>',
  'what is removed from the paths (default: the option base of the plugin)',
] as const

function addInit(program: Command, action: MakeAction): void {
  withoutArguments(program.command('init'), 'the folder of the project', '--root')
    .summary('add the plugin and the first fixture files to a project')
    .description(
      'Adds the plugin to the config of the bundler, and the starter templates to the folder fixtures. It shows the change, and asks before it writes.',
    )
    .option(...root)
    .option('--config <file>', 'the config, if there are several')
    .option('-y, --yes', 'write without asking')
    .option('--agents', 'also add the entries for coding agents')
    .addOption(new Option('--example <name>', 'also add the fixtures of an example').choices(['sign-in']))
    .action(action(async () => (await import('./commands/init.ts')).init))
}

function addServe(program: Command, action: MakeAction): void {
  program
    .command('serve')
    .argument('[place]', 'the fixture files: a folder, or a file')
    .summary('answer on a separate port, for mobile apps, containers and CI')
    .description(
      'Answers from the fixture files on a separate port, like a dev server, with reload and the inspector. The options of the plugin are read from the config of the bundler; those given here take precedence. Press Ctrl-C to stop it.',
    )
    .option('--port <number>', 'the port; 0 for any free port', port, 3000)
    .option('--host [address]', 'the address to listen on (default: localhost; without one, all addresses)')
    .option('--base <path>', 'a path prefix for all routes, such as /api')
    .option('--scenario <names>', 'the active scenario, or several, separated by commas')
    .option(
      '--cors <origins...>',
      'origins whose pages may send requests, such as https://shop.example; * for all',
    )
    .option('--pass-on <url>', 'the server that gets what no route answers, such as http://localhost:8000')
    .option('--allowed-hosts <names...>', 'its host names besides localhost, such as mock-api in a container')
    .option(...root)
    .addHelpText('after', '\nFor a phone in the same network:\n  unplugin-mock-api serve mocks --host')
    .action(action(async () => (await import('./commands/serve.ts')).serve))
}

function addCheck(program: Command, action: MakeAction): void {
  withoutArguments(program.command('check'), 'fixture files or their folder', '--fixtures')
    .summary('check the fixture files, optionally with a schema or an OpenAPI document')
    .description(
      'Reads all fixture files, and reports every error and warning in them. With a GraphQL schema or an OpenAPI document, it also checks the bodies. The options of the plugin are read from the config of the bundler; those given here take precedence.',
    )
    .option(...root)
    .option(...fixtures)
    .option('--schema <places...>', 'files or globs of the GraphQL schema')
    .option(
      '--documents <globs...>',
      "files with the operations of the application: 'src/**/*.{ts,tsx,graphql}'",
    )
    .option('--openapi <file>', 'an OpenAPI document (3.0 or 3.1)')
    .option(
      '--against [url]',
      'compare the fixtures with this backend, or with shapes in a file (default: record.target, or the proxy)',
    )
    .option('--header <headers...>', 'headers for the backend, such as "authorization: Bearer …"')
    .option('--cookies <file>', 'a file of cookies for the backend, as curl writes it')
    .option('--script <file>', 'a module whose default export returns headers for the backend')
    .option('--writes', 'also send POST, PUT, PATCH, DELETE and mutations to the backend')
    .option('--save <file>', 'keep the shapes of its answers, for --against <file>')
    .option('--update', 'write what the backend has changed into the fixture files')
    .option('--accepted <file>', 'the list of accepted differences (default: mock-api-accepted.yaml)')
    .option('--max-warnings <count>', 'fail if there are more warnings', count)
    .option('--sad-paths', 'also list the sad paths that are covered, and those that were never tried')
    .addOption(new Option('--format <format>', 'the format of the report').choices(formats).default('text'))
    .addHelpText('after', '\nFixture files in another folder:\n  unplugin-mock-api check --fixtures mocks')
    .action(action(async () => (await import('./commands/check.ts')).check))
}

function addImport(program: Command, action: MakeAction): void {
  const group = withPlaces(program.command('import'))
    .argument('[files...]', 'files, folders, or - for standard input')
    .summary('write fixture files from a recording or another description of an API')
    .description(
      'Writes fixture files from what a team has already. The content of a file decides what it is: a HAR file, an OpenAPI or Swagger document, a collection of Postman, Insomnia, Hoppscotch or Bruno, mocks of Mockoon, WireMock, MSW or json-server, or a cURL command. Everything that is left out is listed with the reason.',
    )
    .option('--paste', 'read the text in the clipboard, such as a cURL command')
    .option('--send', 'send the requests of cURL commands, and record the answers')
    .option(...urlOfImport)
    .addOption(onlyOfImport())
    .option(...errorsOfImport)
    .option(...collectionsOfImport)
    .option(...baseOfImport)
    .option(...originOfImport, origin)
    .addHelpText('after', '\nThe commands say what a file is, and have fewer options.')
    .enablePositionalOptions()
    .helpCommand(true)
    .action(action(async () => (await import('./commands/import.ts')).importFiles))
  const addImporter = (name: string, files: string, what: string) => {
    const load = async () => {
      const { importKind } = await import('./commands/import.ts')
      return (terminal: Terminal, given: string | string[], options: ImportOptions) =>
        importKind(terminal, name, [given].flat(), options)
    }
    return withPlaces(group.command(name)).argument(files, what).action(action(load))
  }
  addImporter('har', '<file>', 'the HAR file')
    .summary('from a HAR file, the recording of a browser')
    .description(
      'Writes routes for the API requests in a HAR file of Chrome, Firefox or Playwright. Pages, scripts, styles and images are skipped.',
    )
    .option(...urlOfImport)
    .addOption(onlyOfImport())
    .option(...baseOfImport)
    .option(...originOfImport, origin)
  addImporter('openapi', '<file>', 'the OpenAPI 3 or Swagger 2.0 document, in YAML or JSON')
    .summary('from an OpenAPI document')
    .description(
      'Writes a route for each operation of an OpenAPI document, with its example, or with values that fit its schema.',
    )
    .option(...errorsOfImport)
    .option(...collectionsOfImport)
    .option('--no-collections', 'write no collections, and do not ask')
    .option(...baseOfImport)
    .option(...originOfImport, origin)
  addImporter('msw', '<files...>', 'modules that export handlers')
    .summary('from handlers of Mock Service Worker')
    .description('Writes a route for each handler whose resolver does not read the request.')
  addImporter('mock-dev-server', '<files...>', 'modules with mocks, such as mock/user.mock.ts')
    .summary('from mocks of vite-plugin-mock-dev-server')
    .description('Writes a route for each mock that is data, without functions.')
  addImporter('json-server', '<file>', 'the data, such as db.json')
    .summary('from the data of json-server')
    .description('Writes routes for the lists, their items and the single resources of json-server.')
}

function withPlaces(command: Command): Command {
  return command
    .option(...root)
    .option('--out <folder>', 'the folder of the fixture files', 'fixtures')
    .option('--force', 'replace files that differ')
    .option('--dry-run', 'print the files instead of writing them')
}

function addBundle(program: Command, action: MakeAction): void {
  withoutArguments(program.command('bundle'), 'fixture files or their folder', '--fixtures')
    .summary('put the fixture files into one file for Cloudflare Workers, Deno or Bun')
    .description(
      'Writes an ES module that answers from the fixture files, and a wrangler.jsonc next to it. The options of the plugin are read from the config of the bundler; those given here take precedence.',
    )
    .addOption(new Option('--target <target>', 'what it is for').choices(['worker']).default('worker'))
    .option('--out <file>', 'the file to write', 'worker.mjs')
    .option(...root)
    .option(...fixtures)
    .option('--base <path>', 'a path prefix for all routes, such as /api')
    .option('--scenario <names>', 'the active scenario, or several, separated by commas')
    .option(
      '--cors <origins...>',
      'origins whose pages may send requests, such as https://shop.example; * for all',
    )
    .option('--assets <folder>', 'a folder of static files, for paths that no route has')
    .option('--no-minify', 'leave the code readable')
    .addHelpText('after', '\nFixture files in another folder:\n  unplugin-mock-api bundle --fixtures mocks')
    .action(action(async () => (await import('./commands/bundle.ts')).bundle))
}

function addExplore(program: Command, action: MakeAction): void {
  program
    .command('explore')
    .argument('[pages...]', 'addresses of pages, or paths on the running dev server (default: /)')
    .summary('show how a page handles each way in which its API can fail')
    .description(
      'Opens a page in Chromium, and again for each way in which one of its answers can go wrong. The report shows how the page handles it, with screenshots. It needs playwright-core.',
    )
    .option('--out <folder>', 'the folder of the report', 'mock-api-report')
    .option('--json', 'print the report as JSON')
    .option('--max <count>', 'the maximum number of sad paths of a page', number, 40)
    .option('--all', 'all sad paths')
    .option('--changed', 'only sad paths whose page, fixture or plan has changed since the report')
    .option('--again <cause>', 'only the sad paths of a cause of the report, by its number')
    .addOption(new Option('--pictures <which>', 'pictures of which pages').choices(['few', 'all']))
    .option('--only <texts...>', 'only these kinds, such as null, or ids with a text, such as "GET /orders"')
    .option('--script <file>', 'a module with steps before and on the page: a login, a click')
    .option('--server <url>', 'the mock API, if it is not on the server of the page, as with "serve"')
    .option('--browser <file>', 'the Chromium or Chrome to use')
    .option('--accepted <file>', 'the list of accepted findings (default: mock-api-accepted.yaml)')
    .option('--fresh', 'start over instead of continuing a run that was stopped')
    .option('--pages <count>', 'the number of pages at a time (default: four per core)', number)
    .option('--limit <milliseconds>', 'a page that is still waiting after this time is stuck', number, 10_000)
    .option('--quiet <milliseconds>', 'judge a page that has not changed for this time', number, 500)
    .option('--blank <share>', 'a page with less than this share of its text is blank', number, 0.5)
    .option('--loop <count>', 'this many more requests than usual are a loop', number, 10)
    .option(...root)
    .addHelpText(
      'after',
      '\nOnly the sad paths of one request:\n  unplugin-mock-api explore http://localhost:5173/orders --only "GET /orders"',
    )
    .action(action(async () => (await import('./commands/explore.ts')).explore))
}

function addMcp(program: Command, action: MakeAction): void {
  withoutArguments(program.command('mcp'), 'the dev server', '--url')
    .summary('connect coding agents to the running dev server, over standard input and output')
    .description(
      'A Model Context Protocol server. It finds the dev server of the project, says why a request missed, writes fixtures, and switches answers.',
    )
    .option('--url <address>', 'the dev server, if it is not found')
    .option('--server <name>', 'the name of its project, if several are running')
    .option('--serve', 'if no dev server is running, answer from the fixture files on a separate port')
    .option('--port <number>', 'that port; 0 for any free port', port, 3000)
    .option(...root)
    .action(action(async () => (await import('./commands/mcp.ts')).mcp))
}

function number(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value > 0)) throw new InvalidArgumentError('It must be a number above 0.')
  return value
}

function count(text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number.')
}

function origin(text: string): string {
  const parsed = parseOrigin(text)
  if (parsed && /^https?$/.test(parsed.scheme)) return parsed.text
  throw new InvalidArgumentError('It must be an origin, such as https://shop.example.')
}

function port(text: string): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value < 65_536) return value
  throw new InvalidArgumentError('It must be a number from 0 to 65535.')
}

/** Commander would only say that there are too many arguments. */
function withoutArguments(command: Command, what: string, option: string): Command {
  return command.allowExcessArguments().hook('preAction', () => {
    if (command.args.length === 0) return
    const written = `unplugin-mock-api ${command.name()} ${option} ${command.args.join(' ')}`
    command.error(`error: ${command.name()} takes no arguments. To name ${what}, write: ${written}`)
  })
}
