import { quote } from '../values/describe-value.ts'
import { nearestName } from '../values/spelling.ts'
import { createDiagnose, ended, list, suggest, type Texts } from './text.ts'

/** Suggested before all others. */
const commonMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** What a fixture file says: its keys and values. */
export const fixtureTexts = {
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
  'body-not-sent': (d: { key: string; status: number; returnedBy?: string }) => ({
    severity: 'warning',
    message: `${d.returnedBy === undefined ? '' : `The function of route ${quote(d.returnedBy)} returned a body. `}${quote(d.key)} has no effect: an answer with the status ${d.status} has no body.`,
    fix: `Remove ${quote(d.key)}, or change "status" to one that has a body, such as 200.`,
  }),
  'method-not-one': (d: { method: string }) => ({
    message: `${quote(d.method)} is not an HTTP method: a route has one method.`,
    fix: 'Write a route for each method, such as GET and POST.',
  }),
  'method-unknown': (d: { method: string; known: readonly string[] }) => {
    const meant = nearestName(d.method, [...commonMethods, ...d.known])
    return {
      severity: 'warning',
      message: `This route never answers: Node's HTTP server refuses requests with the method ${quote(d.method)}.`,
      fix:
        meant === undefined
          ? `Write ${commonMethods.join(', ')}, or another one of Node's \`http.METHODS\`, such as PURGE.`
          : `Did you mean ${meant}?`,
    }
  },
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
  'items-failed': (d: { reason: string; fix?: string | undefined }) => ({
    message: `The items of the list can't be read: ${ended(d.reason)}`,
    fix:
      d.fix ??
      'Give a list, { file } with the name of a file that holds one, or a function that returns one.',
  }),
  'overlay-without-backend': (d: { keys: readonly string[] }) => ({
    message: `${list(d.keys)} ${d.keys.length === 1 ? 'changes' : 'change'} an answer of the backend, and this response does not come from it.`,
    fix: 'Add `from: backend` to the response, or write the whole answer as its "body".',
  }),
  'patch-invalid': (d: { path: string; reason: string }) => ({
    message: `The change ${quote(d.path)} of "patch" can't be read: ${ended(d.reason)}`,
    fix: 'Write a path with dots and the value to put there, as in patch: { data.hero.friends.1.name: null }. The value { $unset: true } removes what is there.',
  }),
} satisfies Texts

export const diagnoseFixture = createDiagnose(fixtureTexts)
