import { quote } from '../values/describe-value.ts'
import { nearestName } from '../values/spelling.ts'
import { createDiagnose, ended, list, suggest, type Texts } from './text.ts'

/** Suggested before all others. */
const commonMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

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
    message: `${d.place} accepts only one of ${list(d.keys)}, not two of them.`,
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
    message: `${quote(d.method)} is not an HTTP method.`,
    fix: `Write method: '*' for every method, or a list, as in method: [GET, POST].`,
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
    fix: 'Give each of them a name of its own; with dots, none can be below another.',
  }),
  'path-invalid': (d: { path: string; reason: string; fix?: string }) => ({
    message: `The path ${quote(d.path)} can't be matched: ${ended(d.reason)}`,
    fix: d.fix ?? 'Begin with "/", name parameters ":name", and write "**" for any number of segments.',
  }),
  'url-invalid': (d: { path: string; reason: string; fix?: string }) => ({
    message: `The address ${quote(d.path)} can't be matched: ${ended(d.reason)}`,
    fix: d.fix ?? 'Write scheme, host and path, as in url: https://api.example.com/orders/:id.',
  }),
  'items-failed': (d: { reason: string; fix?: string | undefined }) => ({
    message: `The items of the list can't be read: ${ended(d.reason)}`,
    fix:
      d.fix ??
      'Give a list, { file } with the name of a file that holds one, or a function that returns one.',
  }),
  'collection-item-invalid': (d: { name: string; item?: number | undefined; reason: string }) => ({
    message: `${d.item === undefined ? `The list of the collection ${quote(d.name)}` : `Item ${d.item} of the collection ${quote(d.name)}`} can't be used: ${ended(d.reason)}`,
    fix: 'Give a list of objects, each with an id of its own. "id" of the collection names the key of the id.',
  }),
  'collection-name-taken': (d: { name: string; place: string }) => ({
    message: `The collection ${quote(d.name)} has the name or the path of another one (${d.place}), which answers.`,
    fix: 'Give it a "name" and a "path" of its own, or a "scenario" in which it replaces the other one.',
  }),
  'collection-unknown': (d: { name: string; known: readonly string[] }) => ({
    message: `There is no collection ${quote(d.name)}.`,
    fix:
      d.known.length > 0
        ? suggest(d.name, d.known, 'Collections')
        : `Add a route for it, as in { path: "/${d.name}", collection: { items: [] } }.`,
  }),
  'collection-field-unknown': (d: { name: string; collection: string; known: readonly string[] }) => ({
    severity: 'warning',
    message: `No item of the collection ${quote(d.collection)} has the field ${quote(d.name)}.`,
    fix: suggest(d.name, d.known, 'Fields'),
  }),
  'write-invalid': (d: { reason: string }) => ({
    message: `"write" can't be used: ${ended(d.reason)}`,
    fix: 'Write one of create, update, replace and delete with the name of a collection: { update: orders, id: $id, set: { name: $name } }.',
  }),
  'overlay-without-backend': (d: { keys: readonly string[] }) => ({
    message: `${list(d.keys)} ${d.keys.length === 1 ? 'changes' : 'change'} an answer of the backend, and this response does not come from it.`,
    fix: 'Add `from: backend` to the response, or write the whole answer as its "body".',
  }),
  'stream-missing': (d: { key: string }) => ({
    message: `${quote(d.key)} needs a stream, and this response has none.`,
    fix: 'Add the stream, as in stream: [{ data: { id: 7 } }], or stream: [] for one that only triggers fill.',
  }),
  'stream-line-unknown': (d: { key: string; known: readonly string[] }) => ({
    severity: 'warning',
    message: `${quote(d.key)} is no part of an answer of a language model: clients ignore the event, or refuse it.`,
    fix: suggest(d.key, d.known, 'Lines have one of'),
  }),
  'trigger-unknown': (d: { by: 'mutation' | 'route'; name: string; known: readonly string[] }) => ({
    severity: 'warning',
    message: `"on" never fires: ${d.by === 'route' ? 'no route has the name' : 'no route answers a mutation'} ${quote(d.name)}.`,
    fix: d.known.length > 0 ? suggest(d.name, d.known, 'Known names') : 'Correct the name.',
  }),
  'then-scenario-unknown': (d: { name: string; known: readonly string[] }) => ({
    severity: 'warning',
    message: `"then" changes nothing: no route has the scenario ${quote(d.name)}.`,
    fix:
      d.known.length > 0
        ? suggest(d.name, d.known, 'Scenarios')
        : `Add a route for it, as in { path: "/me", scenario: ${quote(d.name)}, response: { body: { name: Ada } } }.`,
  }),
  'patch-invalid': (d: { path: string; reason: string }) => ({
    message: `The change ${quote(d.path)} of "patch" can't be read: ${ended(d.reason)}`,
    fix: 'Write a path with dots and the value to put there, as in patch: { data.hero.friends.1.name: null }. The value { $unset: true } removes what is there.',
  }),

  'number-inexact': (d: { written: string; sent: string }) => ({
    severity: 'warning',
    message: `JSON has no number ${quote(d.written)}: it is sent as ${d.sent === 'NaN' || d.sent.endsWith('Infinity') ? 'null' : d.sent}.`,
    fix: `Write it with decimal digits, or in quotes as a text: '${d.written}'.`,
  }),

  // Values from the request.
  'value-unknown-name': (d: { name: string; known: readonly string[]; near?: string | undefined }) => ({
    message: `A request has no ${quote(d.name)}.`,
    fix: d.near === undefined ? suggest(d.name, d.known, 'Known names') : `Did you mean ${quote(d.near)}?`,
  }),
  'value-invalid': (d: { key: string; reason: string }) => ({
    message: `The value ${quote(d.key)} can't be read: ${ended(d.reason)}`,
    fix: 'Write { $from: params.id }, or { $text: "Order {params.id}" }. To send such an object itself, put it into { $literal: … }.',
  }),
  'value-misspelled': (d: { key: string; meant: string }) => ({
    severity: 'warning',
    message: `The key ${quote(d.key)} is sent as it is.`,
    fix: `Did you mean ${quote(d.meant)}? If not, put the object into { $literal: … }.`,
  }),

  // A route's `when`.
  'selector-unknown-parameter': (d: { name: string; path: string }) => ({
    message: `The selector names the parameter ${quote(d.name)}, which the path ${quote(d.path)} does not have.`,
    fix: `Add ":${d.name}" to the path, or select by "query" or "body" instead.`,
  }),
  'selector-unknown-operator': (d: { operator: string; known: readonly string[] }) => ({
    message: `${quote(d.operator)} is not an operator of selectors.`,
    fix: suggest(d.operator, d.known, 'Known operators'),
  }),
  'selector-invalid-operand': (d: { operator: string; expected: string; received: string }) => ({
    message: `The operator ${quote(d.operator)} takes ${d.expected}, not ${d.received}.`,
    fix: `Give ${quote(d.operator)} ${d.expected}.`,
  }),
  'selector-invalid-pattern': (d: { pattern: string; reason: string; fix?: string }) => ({
    message: `The pattern ${quote(d.pattern)} can't be used: ${d.reason}`,
    fix:
      d.fix ??
      'Write it in RE2 syntax, which has no look-around and no backreferences ("$not" can say what must not match).',
  }),
  'selector-invalid-text': (d: { received: string; operator?: string | undefined }) => ({
    message: `Query, path parameters, headers and cookies are strings: ${d.received} never matches there.`,
    fix:
      d.operator !== undefined
        ? `An operator begins with a dollar sign: write "$${d.operator}" instead of "${d.operator}".`
        : 'Write a string, a number or a boolean, or an object of operators such as { $in: [a, b] }.',
  }),
  'selector-options-alone': () => ({
    message: 'The operator "$options" has no effect without "$regex".',
    fix: 'Add the pattern: { $regex: "^a", $options: i }.',
  }),
  'selector-regex-text': (d: { text: string; meant: string }) => ({
    severity: 'warning',
    message: `${quote(d.text)} is compared as text, with its slashes.`,
    fix: `For a regular expression, write ${d.meant}.`,
  }),
  'selector-unquoted-number': (d: { written: string; value: number }) => ({
    severity: 'warning',
    message: `${d.written} without quotes is the number ${d.value}, so this selects every spelling of that number.`,
    fix: `Quote it to select only this text: '${d.written}'.`,
  }),
  'selector-too-deep': (d: { limit: number }) => ({
    message: `The selector is nested more than ${d.limit} levels deep.`,
    fix: 'Reach inside with dots, such as { "a.b.c": 1 }, or write a predicate function.',
  }),
  'selector-invalid-document': (d: { reason: string }) => ({
    message: `The selector "query" is not a GraphQL document that can be selected: ${ended(d.reason)}`,
    fix: 'Write one operation, as the client sends it. For query parameters write an object: { page: 2 }.',
  }),

  // Conflicts with other routes of the endpoint.
  'path-parameter-conflict': (d: { path: string; other: string; place: string }) => ({
    message: `${quote(d.path)} and ${quote(d.other)} (${d.place}) are the same endpoint, but their parameters are written differently.`,
    fix: `Write the path the same way in both places.`,
  }),
  'default-route-duplicate': (d: {
    endpoint: string
    place: string
    isBroken?: boolean
    scenario?: string | undefined
  }) => ({
    message: `${d.endpoint} has two default routes${d.scenario === undefined ? '' : ` in the scenario ${quote(d.scenario)}`}: this one and the one at ${d.place}, which ${d.isBroken ? 'has an error, so requests get a 500' : 'answers'}.`,
    fix: 'Give one of them a selector ("when") or a "scenario" of its own, or delete it.',
  }),
  'selector-body-of-get': (d: { path: string }) => ({
    severity: 'warning',
    message: `This route selects by the body of GET ${d.path}, and GET requests usually have none.`,
    fix: 'Add the method of the request, as in method: POST or method: GET, or select by "query" instead.',
  }),
  'selector-duplicate': (d: { name: string; place: string }) => ({
    severity: 'warning',
    message: `This route never answers: ${quote(d.name)} (${d.place}) has the same selector and comes first.`,
    fix: 'Change one of the two selectors, or delete this route.',
  }),
  'selector-shadowed': (d: { name: string; place: string }) => ({
    severity: 'warning',
    message: `This route never answers: ${quote(d.name)} (${d.place}) comes first, and its selector matches the same requests and more.`,
    fix: 'Move this route in front of the other one, or delete it.',
  }),
  'graphql-path-other': (d: { path: string; keys: readonly string[]; paths: readonly string[] }) => ({
    severity: 'warning',
    message: `${list(d.keys)} can't work at ${quote(d.path)}: the GraphQL endpoint is ${list(d.paths)}.`,
    fix: `Set the option "graphql.path" to ${quote(d.path)}, or to a list that contains it, or correct the path of the route. Other routes have params, query, headers, cookies and body.`,
  }),
} satisfies Texts

export const diagnoseFixture = createDiagnose(fixtureTexts)
