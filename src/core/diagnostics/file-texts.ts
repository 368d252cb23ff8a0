import { quote } from '../values/describe-value.ts'
import { createDiagnose, ended, type Texts } from './text.ts'

/** Reading fixture files, and the files they name. */
export const fileTexts = {
  'fixture-unreadable': (d: { reason: string; fix?: string | undefined }) => ({
    message: `The fixture file can't be read: ${ended(d.reason)}`,
    fix: d.fix ?? 'Check that it exists and that its permissions allow reading.',
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
    fix: 'Write it as JSON, which is read several times as fast, or split it into several files.',
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
