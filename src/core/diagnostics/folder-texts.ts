import { quote } from '../values/describe-value.ts'
import { createDiagnose, listSome, type Texts } from './text.ts'

/** Which fixture files there are, and how they are watched. */
export const folderTexts = {
  'templates-replaced': (d: { routes: readonly string[]; files: string; fixtures: readonly string[] }) => ({
    severity: 'warning',
    message: `The starter templates (${d.routes.join(' and ')}) no longer answer: ${d.files} takes their place.`,
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
    fix: `Rename ${d.files.length === 1 ? 'it' : 'the first'} to ${quote(d.meant)}.${/\.txt$/i.test(d.files[0]!) ? ' Windows may hide the end of a name.' : ''} If it is no fixture file, leave it out: "!${d.files[0]}" in the option "fixtures".`,
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
  'watch-limit': (d: { code: 'ENOSPC' | 'EMFILE' | 'ENFILE' }) => ({
    severity: 'warning',
    message: `The system can't watch any more files (${d.code}), so the fixture files are compared every half second instead.`,
    fix:
      d.code === 'ENOSPC'
        ? 'Raise the limit, on Linux with `sudo sysctl fs.inotify.max_user_watches=524288`, or narrow the option "fixtures".'
        : 'Raise the limit, with `ulimit -n 65536` or on Linux with `sudo sysctl fs.inotify.max_user_instances=512`.',
  }),
} satisfies Texts

export const diagnoseFolder = createDiagnose(folderTexts)

function several(files: readonly string[]): string {
  return files.length === 1 ? 'One file has' : `${files.length} files have`
}
