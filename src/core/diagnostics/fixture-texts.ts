import { quote } from '../values/describe-value.ts'
import { ended, list, listSome, suggest, type Texts } from './text.ts'

/** Fixture files. */
export const fixtureTexts = {
  'templates-replaced': (d: { routes: readonly string[]; files: string; fixtures: readonly string[] }) => ({
    severity: 'warning',
    message: `The starter templates (${d.routes.join(' and ')}) no longer answer: ${d.files} takes their place.`,
    fix: `To keep them, set fixtures: [${['templates', ...d.fixtures].map(quote).join(', ')}]. This is shown once.`,
  }),
  'fixtures-not-found': (d: { fixtures: string }) => ({
    severity: 'warning',
    message: `No fixture file in ${d.fixtures}: the starter templates answer.`,
    fix: 'Create a fixture file there, or correct the option "fixtures". It is relative to the option "root".',
  }),
  'fixture-name-unknown': (d: { files: readonly string[]; meant: string }) => ({
    severity: 'warning',
    message: `${listSome(d.files)} ${d.files.length === 1 ? 'is' : 'are'} not read: no fixture file has such an extension.`,
    fix: `Rename ${d.files.length === 1 ? 'it' : 'the first'} to ${quote(d.meant)}.${/\.txt$/i.test(d.files[0]!) ? ' Windows may hide the end of a name.' : ''} If it is no fixture file, leave it out: "!${d.files[0]}" in the option "fixtures".`,
  }),
  'fixture-unreadable': (d: { reason: string }) => ({
    message: `The fixture file can't be read: ${ended(d.reason)}`,
    fix: 'Check that it exists and that its permissions allow reading.',
  }),
  'fixture-syntax': (d: { reason: string; fix?: string | undefined }) => ({
    message: `Syntax error: ${ended(d.reason)}`,
    fix: d.fix ?? 'Correct the syntax.',
  }),
  'fixture-import-failed': (d: { reason: string; fix?: string | undefined }) => ({
    message: `The fixture file failed while it was imported: ${ended(d.reason)}`,
    fix: `${d.fix ?? 'Correct the error in the file, or in a module it imports'}.`,
  }),
  'fixture-timeout': (d: { part: 'import' | 'function'; seconds: number }) => ({
    message: `The fixture file gave no routes within ${d.seconds} seconds: its ${d.part} did not settle.`,
    fix: 'Do not await what may never settle, then save the file or a module it imports.',
  }),
  'fixture-too-complex': (d: { reason: string; fix?: string | undefined }) => ({
    message: `The fixture file can't be read completely: ${d.reason}.`,
    fix: 'Use fewer levels or fewer aliases in one value. A body of any size can be read from a "file".',
  }),
  'watch-limit': (d: { code: 'ENOSPC' | 'EMFILE' | 'ENFILE' }) => ({
    severity: 'warning',
    message: `The system can't watch any more files (${d.code}), so the fixture files are compared every half second instead.`,
    fix:
      d.code === 'ENOSPC'
        ? 'Raise the limit, on Linux with `sudo sysctl fs.inotify.max_user_watches=524288`, or narrow the option "fixtures".'
        : 'Raise the limit, with `ulimit -n 65536` or on Linux with `sudo sysctl fs.inotify.max_user_instances=512`.',
  }),
  'fixture-too-large': (d: { limit: number }) => ({
    message: `The fixture file is not read: it has more than ${d.limit / 1_000_000} million characters of YAML.`,
    fix: 'Write it as JSON, which is read several times as fast, or split it into several files.',
  }),
  'fixture-no-default-export': () => ({
    message: 'The fixture file has no default export.',
    fix: 'Write `export default defineFixture([ … ])` with a list of routes, or with a function that returns one.',
  }),
  'fixture-without-routes': (d: { files: readonly string[]; folder: string; isCode: boolean }) => ({
    severity: 'warning',
    message: `${several(d.files)} no routes, so ${d.files.length === 1 ? 'it is' : 'they are'} left out: ${listSome(d.files)}.`,
    fix:
      (d.isCode
        ? 'If a module is meant to list routes, export them with `defineFixture`: other modules are not run. '
        : 'If the file is meant to list routes, give each entry a "path" that begins with "/", and a "response". ') +
      `If this is test data, keep fixture files in a folder of their own, as in fixtures: "mocks", or take the files out with fixtures: [${quote(d.folder)}, ${quote(`!${d.files[0]}`)}].`,
  }),
  'header-name-invalid': (d: { name: string; reason: string }) => ({
    message: `The header ${quote(d.name)} can't be sent: ${d.reason}`,
    fix:
      d.name.toLowerCase() === 'trailer' ? 'Remove it.' : 'Correct its name, as in "x-total", or remove it.',
  }),
  'fixture-invalid': (d: { what: string; expected: string; received: string; fix?: string | undefined }) => ({
    message: `${d.what} must be ${d.expected}, not ${d.received}.`,
    fix: d.fix ?? `Write ${d.expected} here.`,
  }),
  'fixture-unknown-key': (d: { key: string; known: readonly string[]; fix?: string | undefined }) => ({
    message: `Unknown key ${quote(d.key)}.`,
    fix: d.fix ?? suggest(d.key, d.known, 'Known keys'),
  }),
  'fixture-missing-key': (d: { key: string; example: string }) => ({
    message: `The key ${quote(d.key)} is missing.`,
    fix: `Add it, as in ${d.key}: ${d.example}.`,
  }),
  'fixture-conflicting-keys': (d: { keys: readonly string[]; place: string }) => ({
    message: `${d.place} takes one of ${list(d.keys)}, not two of them.`,
    fix: `Keep one of ${list(d.keys)}.`,
  }),
  'repeat-without-list': () => ({
    severity: 'warning',
    message: '"repeat" does nothing without a list of responses.',
    fix: 'Remove it, or write the responses one after the other: response: [{ status: 503 }, { body: [] }].',
  }),
  'body-not-sent': (d: { key: string; status: number }) => ({
    severity: 'warning',
    message: `${quote(d.key)} is not sent: an answer with the status ${d.status} has no body.`,
    fix: `Remove ${quote(d.key)}, or change "status" to one that has a body, such as 200.`,
  }),
  'method-not-one': (d: { method: string }) => ({
    message: `${quote(d.method)} is not an HTTP method: a route has one method.`,
    fix: 'Write a route for each method, such as GET and POST.',
  }),
  'paginate-key-unused': (d: { key: string; style: string; reason: string }) => ({
    message: `${quote(d.key)} has no effect with the style ${quote(d.style)}: ${d.reason}.`,
    fix: `Remove ${quote(d.key)}, or choose another "style".`,
  }),
  'paginate-max-below-default': (d: { perPage: number; maxPerPage: number }) => ({
    message: `"maxPerPage" (${d.maxPerPage}) is below "perPage" (${d.perPage}), which is sent when the client does not choose.`,
    fix: 'Raise "maxPerPage", or lower "perPage". Its default is 20.',
  }),
  'paginate-name-taken': (d: { name: string; keys: readonly string[] }) => ({
    message: `${list(d.keys)} have the same name: ${quote(d.name)}.`,
    fix: 'Give each of them a name of its own.',
  }),
  'path-invalid': (d: { path: string; reason: string; fix?: string }) => ({
    message: `The path ${quote(d.path)} can't be matched: ${ended(d.reason)}`,
    fix: d.fix ?? 'Begin with "/", name parameters ":name", and write "**" for any number of segments.',
  }),
  'path-parameter-conflict': (d: { path: string; other: string; place: string }) => ({
    message: `${quote(d.path)} and ${quote(d.other)} (${d.place}) are the same endpoint, but their parameters are written differently.`,
    fix: `Write the path the same way in both places.`,
  }),
  'body-file-unreadable': (d: { path: string; reason: string }) => ({
    message: `The body file ${quote(d.path)} can't be read: ${ended(d.reason)}`,
    fix: 'Create the file, or correct its path, which is relative to this fixture file.',
  }),
  'body-file-too-large': (d: { path: string; megabytes: number; limit: number }) => ({
    message: `The body file ${quote(d.path)} has ${d.megabytes} MB, and at most ${d.limit} MB are sent.`,
    fix: 'Give a smaller file, or let the dev server serve it from its folder of static files.',
  }),
  'body-file-outside-root': (d: { path: string }) => ({
    message: `The body file ${quote(d.path)} is outside the project's root.`,
    fix: 'Move the file into the project, or set the option "root" to a folder that holds both.',
  }),
  'fixture-needs-node': (d: { chain: readonly string[] }) => ({
    message: `The fixture file needs ${d.chain.at(-1)}, which this build does not have: ${d.chain.join(' → ')}.`,
    fix: 'Import data as JSON, write it into the fixture file, or name it as a "file". Or use the fixtures only where Node runs.',
  }),
  'body-file-unsupported': (d: { path: string }) => ({
    message: `The body file ${quote(d.path)} can't be sent: a fetch handler has no files.`,
    fix: 'Write the body itself into "body". In fixture files of a bundle, the name has to be a literal: file: \'invoice.pdf\'.',
  }),
  'body-not-json': (d: { reason: string }) => ({
    message: `The body can't be sent as JSON: ${ended(d.reason)}`,
    fix: 'Use plain objects, lists, strings, numbers, booleans and null.',
  }),
  'default-route-duplicate': (d: { endpoint: string; place: string; scenario?: string | undefined }) => ({
    message: `${d.endpoint} has two default routes${d.scenario === undefined ? '' : ` in the scenario ${quote(d.scenario)}`}: this one and the one at ${d.place}, which answers.`,
    fix: 'Give one of them a selector ("when") or a "scenario" of its own, or delete it.',
  }),
  'items-failed': (d: { reason: string; fix?: string | undefined }) => ({
    message: `The items of the list can't be read: ${ended(d.reason)}`,
    fix:
      d.fix ??
      'Give a list, { file } with the name of a file that holds one, or a function that returns one.',
  }),
} satisfies Texts

function several(files: readonly string[]): string {
  return files.length === 1 ? 'One file has' : `${files.length} files have`
}
