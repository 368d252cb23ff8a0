import { quote } from '../values/describe-value.ts'
import { createDiagnose, type Texts } from './text.ts'

/** What a fetch handler can't do, since it has neither files nor connections. */
export const webTexts = {
  'body-file-unsupported': (d: { path: string }) => ({
    message: `The body file ${quote(d.path)} can't be sent: a fetch handler has no files.`,
    fix: 'Write the body itself into "body". In fixture files of a bundle, the name has to be a literal: file: \'invoice.pdf\'.',
  }),
  'fault-not-exact': (d: { fault: string }) => ({
    severity: 'warning',
    message: `The fault ${quote(d.fault)} is one of the connection, which does not exist here: the body breaks off instead.`,
    fix: 'Try this fault on the dev server, where it is exact. docs/faults.md says what each fault is elsewhere.',
  }),
} satisfies Texts

export const diagnoseWeb = createDiagnose(webTexts)
