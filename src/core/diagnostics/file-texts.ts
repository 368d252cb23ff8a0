import { quote } from '../values/describe-value.ts'
import { createDiagnose, ended, listSome, type Texts } from './text.ts'

export const fileTexts = {
  'templates-replaced': (d: { routes: readonly string[]; files: string; fixtures: readonly string[] }) => ({
    severity: 'warning',
    message: `The starter templates (${d.routes.join(' and ')}) are replaced by ${d.files}.`,
    fix: `To keep them, set fixtures: [${['templates', ...d.fixtures].map(quote).join(', ')}]. This is shown once.`,
  }),
  'fixtures-not-found': (d: { fixtures: string; meant?: string | undefined }) => ({
    severity: 'warning',
    message: `No fixture file in ${d.fixtures}: the starter templates answer.`,
    fix: `${d.meant === undefined ? '' : `Did you mean ${quote(d.meant)}? `}Create a fixture file there, or correct the option "fixtures". It is relative to the option "root".`,
  }),
  'fixtures-entry-missing': (d: { entry: string; meant: string }) => ({
    severity: 'warning',
    message: `The option "fixtures" names ${d.entry}, which does not exist.`,
    fix: `Did you mean ${quote(d.meant)}? Correct the entry, or remove it. It is relative to the option "root".`,
  }),
  'fixture-name-unknown': (d: { files: readonly string[]; meant: string; isHidden?: boolean }) => ({
    severity: 'warning',
    message: `${listSome(d.files)} ${d.files.length === 1 ? 'is' : 'are'} not read: ${d.isHidden ? 'files whose name begins with a dot are skipped' : 'no fixture file has such an extension'}.`,
    fix: `Rename ${d.files.length === 1 ? 'it' : 'the first'} to ${quote(d.meant)}.${/\.txt$/i.test(d.files[0]!) ? ' Windows may hide the end of a name.' : ''} If it is not a fixture file, exclude it: "!${d.files[0]}" in the option "fixtures".`,
  }),
  'fixture-without-routes': (d: { files: readonly string[]; folder: string; isCode: boolean }) => ({
    severity: 'warning',
    message: `${d.files.length === 1 ? 'One file has' : `${d.files.length} files have`} no routes, so ${d.files.length === 1 ? 'it is' : 'they are'} left out: ${listSome(d.files)}.`,
    fix:
      (d.isCode
        ? 'If a module is meant to list routes, export them with `defineFixture`: other modules are not run. '
        : 'If the file is meant to list routes, give each entry a "path" that begins with "/", and a "response". ') +
      `If this is test data, keep fixture files in a folder of their own, as in fixtures: "mocks", or take the files out with fixtures: [${quote(d.folder)}, ${quote(`!${d.files[0]}`)}].`,
  }),
  'watch-limit': (d: { code: 'ENOSPC' | 'EMFILE' | 'ENFILE' }) => ({
    severity: 'warning',
    message: `The system can't watch any more files (${d.code}), so the plugin checks the fixture files every half second instead.`,
    fix:
      d.code === 'ENOSPC'
        ? 'Raise the limit, on Linux with `sudo sysctl fs.inotify.max_user_watches=524288`, or narrow the option "fixtures".'
        : 'Raise the limit, with `ulimit -n 65536` or on Linux with `sudo sysctl fs.inotify.max_user_instances=512`.',
  }),

  // Reading fixture files, and the files they name.
  'fixture-unreadable': (d: { reason: string; fix?: string | undefined }) => ({
    message: `The fixture file can't be read: ${ended(d.reason)}`,
    fix: d.fix ?? 'Check that it exists and that its permissions allow reading.',
  }),
  'fixture-syntax': (d: { reason: string; fix?: string | undefined }) => ({
    message: `Syntax error: ${ended(d.reason)}`,
    fix: d.fix ?? 'Correct the syntax.',
  }),
  'fixture-import-failed': (d: {
    reason: string
    /** Where an alias leads, and the modules between the file and the import. */
    missing?: string | undefined
    way?: string
    fix?: string | undefined
  }) => ({
    message:
      `${d.missing ?? `The fixture file failed while it was imported: ${d.reason.replace(/\.$/, '')}`}${d.way ?? ''}`.replace(
        /(?<![!?])$/,
        '.',
      ),
    fix: `${d.fix ?? 'Correct the error in the file, or in a module it imports'}.`,
  }),
  'fixture-timeout': (d: { part: 'import' | 'function'; seconds: number }) => ({
    message: `The fixture file gave no routes within ${d.seconds} seconds: its ${d.part} did not settle.`,
    fix: 'Do not await what may never settle, then save the file or a module it imports.',
  }),
  'fixture-empty': () => ({
    severity: 'warning',
    message: 'This file lists no routes.',
    fix: 'Write a route into it, as in `- { path: /orders, response: { body: [] } }` in YAML, or delete the file. While no file has a route, the starter templates answer.',
  }),
  'fixture-encoding': () => ({
    severity: 'warning',
    message: 'The file is not in UTF-8: a character can\'t be read, and is sent as "\uFFFD".',
    fix: 'Save the file in UTF-8, and write the character again if it is lost.',
  }),
  'fixture-too-complex': (d: { reason: string; fix?: string | undefined }) => ({
    message: `The fixture file can't be read completely: ${d.reason}.`,
    fix: 'Use fewer levels or fewer aliases in one value. A body of any size can be read from a "file".',
  }),
  'fixture-too-large': (d: { limit: number }) => ({
    message: `The fixture file is not read: it has more than ${d.limit / 1_000_000} million characters of YAML.`,
    fix: 'Write it as JSON, which is several times faster to read, or split it into several files.',
  }),
  'fixture-no-default-export': () => ({
    message: 'The fixture file has no default export.',
    fix: 'Write `export default defineFixture([ … ])` with a list of routes, or with a function that returns one.',
  }),
  'body-file-unreadable': (d: { path: string; reason: string; fix?: string }) => ({
    message: `The file ${quote(d.path)} can't be used: ${ended(d.reason)}`,
    fix: d.fix ?? 'Create the file, or correct its path, which is relative to this fixture file.',
  }),
  'body-file-too-large': (d: { path: string; megabytes: number; limit: number }) => ({
    message: `The file ${quote(d.path)} has ${d.megabytes} MB, and at most ${d.limit} MB are sent.`,
    fix: 'Give a smaller file, or let the dev server serve it from its folder of static files.',
  }),
  'body-file-outside-root': (d: { path: string }) => ({
    message: `The file ${quote(d.path)} is outside the project's root.`,
    fix: 'Move the file into the project, or set the option "root" to a folder that holds both.',
  }),
} satisfies Texts

export const diagnoseFile = createDiagnose(fileTexts)
