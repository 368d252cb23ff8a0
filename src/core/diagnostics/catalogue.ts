import leven from 'leven'
import { quote } from '../values/describe-value.ts'

export type Text = { message: string; fix: string; severity?: 'warning' }

/** Every diagnostic the package can report. The keys are the stable codes. */
export const catalogue = {
  'plugin-duplicate': (): Text => ({
    severity: 'warning',
    message: 'The plugin "unplugin-mock-api" is listed twice: only the first one answers.',
    fix: 'Remove one of the two from "plugins". The option "fixtures" takes a list of folders.',
  }),
  'server-unreachable': (d: { hint?: string }): Text => ({
    severity: 'warning',
    message: "Nothing is mocked: the plugin can't reach the dev server that serves this build.",
    fix:
      'Take the plugin out of the config, and give the server the middleware before all others:\n' +
      "       import { createMiddleware } from 'unplugin-mock-api/connect'\n" +
      `       app.use(createMiddleware())${d.hint ? `\n       ${d.hint}` : ''}`,
  }),
  'option-unknown': (d: { option: string; known: readonly string[] }): Text => ({
    message: `Unknown option ${quote(d.option)}.`,
    fix: suggest(d.option.split('.').at(-1)!, d.known, 'Known options'),
  }),
  'option-invalid': (d: { key: string; expected: string; received: string }): Text => ({
    message: `Option ${quote(d.key)} must be ${d.expected}, not ${d.received}.`,
    fix: `Give ${quote(d.key)} ${d.expected}, or leave it out to get its default.`,
  }),
  'fixtures-not-found': (d: { fixtures: string }): Text => ({
    severity: 'warning',
    message: `No fixture file in ${d.fixtures}: the starter templates answer.`,
    fix: 'Create a fixture file there, or correct the option "fixtures". It is relative to the option "root".',
  }),
  'fixture-unreadable': (d: { reason: string }): Text => ({
    message: `The fixture file can't be read: ${d.reason}`,
    fix: 'Check that it exists and that its permissions allow reading.',
  }),
  'fixture-syntax': (d: { reason: string }): Text => ({
    message: `Syntax error: ${d.reason}`,
    fix: 'Correct the syntax. Until the file is saved without the error, its last good routes answer.',
  }),
  'fixture-import-failed': (d: { reason: string }): Text => ({
    message: `The fixture file failed while it was imported: ${d.reason}`,
    fix: 'Correct the error in the file or in a module it imports. Until then its last good routes answer.',
  }),
  'fixture-timeout': (d: { part: 'import' | 'function'; seconds: number }): Text => ({
    message: `The fixture file gave no routes within ${d.seconds} seconds: its ${d.part} did not settle.`,
    fix: 'Await nothing that may never come. Until the file or a module it imports is saved, its last good routes answer.',
  }),
  'fixture-too-complex': (d: { reason: string }): Text => ({
    message: `The fixture file can't be read to its end: ${d.reason}.`,
    fix: 'Write less into one value: fewer levels, fewer aliases. A "file" can hold a body of any size.',
  }),
  'fixture-no-default-export': (): Text => ({
    message: 'The fixture file has no default export.',
    fix: 'Write `export default defineFixture([ … ])` with a list of routes, or a function that returns it.',
  }),
  'fixture-invalid': (d: { what: string; expected: string; received: string }): Text => ({
    message: `${d.what} must be ${d.expected}, not ${d.received}.`,
    fix: `Write ${d.expected} here.`,
  }),
  'fixture-unknown-key': (d: { key: string; known: readonly string[] }): Text => ({
    message: `Unknown key ${quote(d.key)}.`,
    fix: suggest(d.key, d.known, 'Known keys'),
  }),
  'fixture-missing-key': (d: { key: string }): Text => ({
    message: `The key ${quote(d.key)} is missing.`,
    fix: `Add ${quote(d.key)}.`,
  }),
  'fixture-conflicting-keys': (d: { keys: readonly string[]; place: string }): Text => ({
    message: `${d.place} takes one of ${list(d.keys)}, not two of them.`,
    fix: `Keep one of ${list(d.keys)}.`,
  }),
  'path-invalid': (d: { path: string; reason: string }): Text => ({
    message: `The path ${quote(d.path)} can't be matched: ${d.reason}`,
    fix: 'Begin with "/", name parameters ":name", and write "**" for any number of segments.',
  }),
  'path-parameter-conflict': (d: { path: string; other: string; place: string }): Text => ({
    message: `${quote(d.path)} and ${quote(d.other)} (${d.place}) are the same endpoint with differently written parameters.`,
    fix: `Write the path in the same way in both places.`,
  }),
  'selector-unknown-parameter': (d: { name: string; path: string }): Text => ({
    message: `The selector names the parameter ${quote(d.name)}, which the path ${quote(d.path)} does not have.`,
    fix: `Add ":${d.name}" to the path, or select by "query" or "body" instead.`,
  }),
  'selector-unknown-operator': (d: { operator: string; known: readonly string[] }): Text => ({
    message: `${quote(d.operator)} is not an operator that selectors know.`,
    fix: suggest(d.operator, d.known, 'Known operators'),
  }),
  'selector-invalid-operand': (d: { operator: string; expected: string; received: string }): Text => ({
    message: `The operator ${quote(d.operator)} takes ${d.expected}, not ${d.received}.`,
    fix: `Give ${quote(d.operator)} ${d.expected}.`,
  }),
  'selector-invalid-pattern': (d: { pattern: string; reason: string }): Text => ({
    message: `The pattern ${quote(d.pattern)} can't be used: ${d.reason}`,
    fix: 'Write it in RE2 syntax, which has no look-around and no backreferences ("$not" can say what must not match).',
  }),
  'selector-invalid-text': (d: { received: string }): Text => ({
    message: `Query, path parameters, headers and cookies are text: ${d.received} can't be selected there.`,
    fix: 'Write a text, a number or a boolean, or an object of operators such as { $in: [a, b] }.',
  }),
  'selector-too-deep': (d: { limit: number }): Text => ({
    message: `The selector is nested more than ${d.limit} levels deep.`,
    fix: 'Reach inside with dots, such as { "a.b.c": 1 }, or write a predicate function.',
  }),
  'selector-invalid-document': (d: { reason: string }): Text => ({
    message: `The selector "query" is no GraphQL document that could be selected: ${d.reason}`,
    fix: 'Write one operation, as the client sends it. For query parameters write an object: { page: 2 }.',
  }),
  'body-file-unreadable': (d: { path: string; reason: string }): Text => ({
    message: `The body file ${quote(d.path)} can't be read: ${d.reason}`,
    fix: 'Give a path relative to this fixture file.',
  }),
  'body-file-outside-root': (d: { path: string }): Text => ({
    message: `The body file ${quote(d.path)} lies outside the project's root.`,
    fix: 'Move the file into the project, or set the option "root" to a folder that holds both.',
  }),
  'body-file-unsupported': (d: { path: string }): Text => ({
    message: `The body file ${quote(d.path)} can't be sent: a fetch handler has no files.`,
    fix: 'Write the body itself into "body".',
  }),
  'body-not-json': (d: { reason: string }): Text => ({
    message: `The body can't be sent as JSON: ${d.reason}`,
    fix: 'Use plain objects, lists, text, numbers, booleans and null.',
  }),
  'default-route-duplicate': (d: { endpoint: string; place: string }): Text => ({
    message: `${d.endpoint} has two default routes: this one and the one at ${d.place}, which answers.`,
    fix: 'Give one of them a selector ("when"), or delete it.',
  }),
  'selector-duplicate': (d: { name: string; place: string }): Text => ({
    severity: 'warning',
    message: `This route never answers: ${quote(d.name)} (${d.place}) has the same selector and stands before it.`,
    fix: 'Change one of the two selectors, or delete this route.',
  }),
  'request-body-malformed': (d: { request: string; reason: string }): Text => ({
    message: `The body of ${d.request} can't be read: ${d.reason}`,
    fix: 'Send a body that fits its content type; a route of this endpoint selects by it.',
  }),
  'request-body-too-large': (d: { request: string; limit: number }): Text => ({
    message: `The body of ${d.request} is larger than ${d.limit} bytes.`,
    fix: 'Send less, or raise the option "bodyLimit".',
  }),
  'request-encoding-unknown': (d: {
    request: string
    encoding: string
    accepted: readonly string[]
  }): Text => ({
    message: `The body of ${d.request} is encoded as ${quote(d.encoding)}, which can't be decoded here.`,
    fix: `Send it as it is${d.accepted.length > 0 ? `, or encoded as ${d.accepted.join(', ')}` : ''}.`,
  }),
  'request-encoding-corrupt': (d: { request: string; encoding: string; reason: string }): Text => ({
    message: `The body of ${d.request} is not encoded as ${quote(d.encoding)}: ${d.reason}.`,
    fix: 'Send what the header "content-encoding" says, or leave the header out.',
  }),
  'request-charset-unknown': (d: { request: string; charset: string }): Text => ({
    message: `The body of ${d.request} is in the charset ${quote(d.charset)}, which can't be read here.`,
    fix: 'Send it in UTF-8, and leave "charset" out of the header "content-type".',
  }),
  'request-body-used': (d: { request: string }): Text => ({
    message: `The body of ${d.request} has been read before, so no route can be selected by it.`,
    fix: 'Call the handler before anything reads the body, or give it `request.clone()`.',
  }),
  'origin-refused': (d: { origin: string }): Text => ({
    severity: 'warning',
    message: `Pages of the origin ${quote(d.origin)} are not answered: they are neither of this machine nor of this host.`,
    fix: `Set the option "cors" to [${quote(d.origin)}], or to true to answer every page.`,
  }),
  'host-refused': (d: { host: string }): Text => ({
    severity: 'warning',
    message: `Requests for the host name ${quote(d.host)} are not answered: under a name of its own, any web page could reach this server.`,
    fix: `Set the option "allowedHosts" to [${quote(d.host)}], or to true to answer under every name.`,
  }),
  'graphql-refused': (d: { request: string; reason: string }): Text => ({
    severity: 'warning',
    message: `${d.request} can't be run: ${d.reason}`,
    fix: 'Correct the query, its variables or its headers; the answer carries the same message.',
  }),
  'graphql-field-missing': (d: { name: string; fields: readonly string[] }): Text => ({
    severity: 'warning',
    message: `The request selects what route ${quote(d.name)} does not have: ${d.fields.join('; ')}.`,
    fix: 'Add it to the data of the fixture, or correct the query. Until then it is sent as null, or with a schema filled in.',
  }),
  'function-failed': (d: {
    request: string
    name: string
    part: 'predicate' | 'response'
    reason: string
  }): Text => ({
    message: `The ${d.part} function of route ${quote(d.name)} failed on ${d.request}: ${d.reason}`,
    fix: 'Correct the function in the fixture file; the dev server goes on.',
  }),
  'function-timeout': (d: { request: string; name: string; limit: number }): Text => ({
    message: `The response function of route ${quote(d.name)} did not settle within ${d.limit} ms on ${d.request}.`,
    fix: 'Let its promise resolve or reject, or raise the option "functionTimeout" (0 waits forever).',
  }),
  'rate-limited': (d: {
    request: string
    name: string
    requests: number
    per: number
    seconds: number
  }): Text => ({
    severity: 'warning',
    message: `The route ${quote(d.name)} answers ${d.requests} ${d.requests === 1 ? 'request' : 'requests'} within ${d.per} ms, so not ${d.request}.`,
    fix: `Ask again in ${d.seconds} s, or change "rateLimit" in the fixture.`,
  }),
  'route-unmatched': (d: { request: string; nearest: string }): Text => ({
    message: `No route fits ${d.request}: ${d.nearest}.`,
    fix: 'Correct the request, correct a selector, or add a route without "when" as the default.',
  }),
  'route-similar': (d: { request: string; similar: string }): Text => ({
    severity: 'warning',
    message: `${d.request} is no route, so it was passed on. Did you mean ${d.similar}?`,
    fix: 'Correct the path or the method in the request, or add a route for it. This is said once for each path.',
  }),
  'page-not-selected': (d: { name: string; parameter: string; value: string }): Text => ({
    severity: 'warning',
    message: `${d.parameter}=${d.value} selects no page, so the default of route ${quote(d.name)} answered.`,
    fix: 'Check the paging of the client: it asked for a page that the list does not have.',
  }),
  'page-out-of-range': (d: { parameter: string; value: string }): Text => ({
    severity: 'warning',
    message: `${d.parameter}=${d.value} points behind the end of the list.`,
    fix: 'Stop paging where the last page says so, or set "outOfRange" in the fixture.',
  }),
  'page-malformed': (d: { parameter: string; value: string }): Text => ({
    severity: 'warning',
    message: `${d.parameter}=${d.value} is no value that this parameter can have.`,
    fix: 'Send a whole number, or a cursor that an earlier page gave; or set "malformed" in the fixture.',
  }),
  'items-failed': (d: { reason: string }): Text => ({
    message: `The items of the list can't be had: ${d.reason}`,
    fix: 'Give a list, a file that holds one, or a function that returns one.',
  }),
  'graphiql-not-installed': (d: { packageName: string }): Text => ({
    severity: 'warning',
    message: `GraphiQL can't be shown: the package ${quote(d.packageName)} is not installed.`,
    fix: `Run \`npm install --save-dev ${d.packageName}\` and reload the page, or remove the option "graphql.graphiql".`,
  }),
  'graphiql-failed': (d: { packageName: string; reason: string }): Text => ({
    message: `GraphiQL can't be shown: the package ${quote(d.packageName)} failed: ${d.reason}`,
    fix: `Run \`npm install --save-dev ${d.packageName}\` anew and reload the page.`,
  }),
  'schema-not-found': (d: { place: string }): Text => ({
    message: `There is no schema file at ${quote(d.place)}.`,
    fix: 'Correct the option "graphql.schema": a file, a folder or a glob, relative to the option "root".',
  }),
  'schema-unreadable': (d: { reason: string }): Text => ({
    message: `The schema file can't be read: ${d.reason}`,
    fix: 'Give SDL in a file that ends in .graphql, .graphqls or .gql, and check that its permissions allow reading.',
  }),
  'schema-invalid': (d: { reason: string }): Text => ({
    message: `The GraphQL schema can't be used: ${d.reason}`,
    fix: 'Correct the SDL. It is read again as soon as it is saved.',
  }),
}

function suggest(key: string, known: readonly string[], title: string): string {
  const nearest = known
    .map((candidate) => ({ candidate, distance: leven(key.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)[0]
  const near = nearest && nearest.distance <= Math.max(2, key.length / 2)
  return `${near ? `Did you mean ${quote(nearest.candidate)}? ` : ''}${title}: ${known.join(', ')}.`
}

function list(words: readonly string[]): string {
  return words.map(quote).join(' and ')
}
