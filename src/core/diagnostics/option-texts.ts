import { quote } from '../values/describe-value.ts'
import { createDiagnose, suggest, type Texts } from './text.ts'

/** Options, and plugins that can't start. */
export const optionTexts = {
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
    fix: 'Restart the dev server. If the error stays, install the dependencies of the project again.',
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
} satisfies Texts

/** The entries of plugins load these alone: most configs are loaded to build, where nothing else is reported. */
export const diagnoseOption = createDiagnose(optionTexts)
