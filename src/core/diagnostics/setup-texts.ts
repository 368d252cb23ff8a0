import { plural, quote } from '../values/describe-value.ts'
import { createDiagnose, ended, suggest, type Texts } from './text.ts'

export const setupTexts = {
  'plugin-duplicate': (d: { base: string }) => ({
    severity: 'warning',
    message: `The plugin "unplugin-mock-api" is listed twice${d.base ? ` with the base "${d.base}"` : ''}: only the first one answers.`,
    fix: 'Remove one of the two from "plugins", or give each a "base" of its own. The option "fixtures" takes a list of folders.',
  }),
  'plugin-not-called': () => ({
    message: 'The "plugins" of the config have the plugin function itself, so nothing is mocked.',
    fix: 'Call it: write mockApi() instead of mockApi.',
  }),
  'start-failed': (d: { reason: string }) => ({
    message: `Nothing is mocked, because the mock server can't start: ${d.reason}.`,
    fix: 'Restart the dev server. If the error persists, install the dependencies of the project again.',
  }),
  'outgoing-off': (d: { origin: string }) => ({
    severity: 'warning',
    message: `Routes have the origin ${quote(d.origin)}, but this middleware answers only what is sent to its own server.`,
    fix: 'Set the option "outgoing" to true to answer requests of code in this process, or to false to turn this message off.',
  }),
  'persist-failed': (d: { file: string; reason: string }) => ({
    severity: 'warning',
    message: `The changes of collections can't be kept in ${d.file}: ${ended(d.reason)}`,
    fix: 'Check the disk, the folder and its permissions. The next change after that keeps all of them.',
  }),
  'persist-damaged': (d: { file: string; lines: readonly number[] }) => ({
    severity: 'warning',
    message: `Changes of collections are lost: ${plural(d.lines.length, 'line')} of ${d.file} can't be read. The first is line ${d.lines[0]}.`,
    fix: 'Correct the file, or delete it, and restart the dev server.',
  }),
  'option-unknown': (d: { option: string; known: readonly string[] }) => ({
    message: `Unknown option ${quote(d.option)}.`,
    fix: suggest(d.option.split('.').at(-1)!, d.known, 'Known options'),
  }),
  'option-invalid': (d: { key: string; expected: string; received: string }) => ({
    message: `${d.key === '' ? 'The options' : `Option ${quote(d.key)}`} must be ${d.expected}, not ${d.received}.`,
    fix:
      d.key === ''
        ? 'Give an object, as in { fixtures: "mocks" }, or nothing.'
        : `Give ${quote(d.key)} ${d.expected}, or leave it out to get its default.`,
  }),

  'inspector-without-files': () => ({
    message: 'The inspector needs fixture files, and this list of routes does not follow any.',
    fix: "Give createFetchHandler the list of await loadRoutes('fixtures', { watch: true }), or leave out the option inspector.",
  }),

  // Compilers: webpack and Rspack.
  'server-unreachable': (d: { hint?: string }) => ({
    severity: 'warning',
    message: "Nothing is mocked: the plugin can't reach the dev server that serves this build.",
    fix:
      'Remove the plugin from the config, and add the middleware to the server before all others:\n' +
      "       import { createMiddleware } from 'unplugin-mock-api/connect'\n" +
      `       app.use(createMiddleware())${d.hint ? `\n       ${d.hint}` : ''}`,
  }),

  // Bundles of fixtures: workers, and builds with the mock API.
  'option-not-data': (d: { option: string; what: string }) => ({
    message: `Option ${quote(d.option)} is ${d.what}, which can't be part of a bundle.`,
    fix: 'Use plain data: objects, lists, strings, numbers, booleans and null.',
  }),
  'worker-elsewhere': (d: { base: string }) => ({
    message: `The option "build" needs pages and worker on one origin, but the build's files are at ${quote(d.base)}.`,
    fix: 'Give the bundler a path as its base for this build, such as "/" or "./".',
  }),
  'fixture-needs-node': (d: { chain: readonly string[] }) => ({
    message: `The fixture file needs ${d.chain.at(-1)}, which this build does not have: ${d.chain.join(' → ')}.`,
    fix: 'Import data as JSON, write it into the fixture file, or name it as a "file". Or use the fixtures only where Node runs.',
  }),
  'bundler-missing': (d: { root: string }) => ({
    message: `There is no bundler in ${d.root}.`,
    fix: 'Install one there: npm install --save-dev vite. Rspack, Rsbuild and webpack work too.',
  }),
  'bundle-failed': (d: { bundler: string; reason: string }) => ({
    message: `${d.bundler} can't bundle the fixtures: ${ended(d.reason)}`,
    fix: 'Correct the fixture file that it names, or what this file imports.',
  }),
} satisfies Texts

export const diagnoseSetup = createDiagnose(setupTexts)
