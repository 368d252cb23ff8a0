import { formatDuration, formatSize, plural, quote } from '../values/describe-value.ts'
import { createDiagnose, ended, suggest, type Texts } from './text.ts'

export const requestTexts = {
  'body-not-json': (d: { reason: string }) => ({
    message: `The body can't be sent as JSON: ${ended(d.reason)}`,
    fix: 'Use plain objects, lists, strings, numbers, booleans and null.',
  }),
  'value-file-missing': (d: { request: string; name: string; file: string }) => ({
    message: `${d.request}: there is no file ${quote(d.file)}, which ${quote(d.name)} names.`,
    fix: 'Add the file, or add a route for this request.',
  }),
  'value-too-large': (d: { request: string; name: string }) => ({
    message: `${d.request}: the answer of ${quote(d.name)} would hold too much of the request: at most 8 MiB, and 8 KiB in a header.`,
    fix: 'Send a smaller request, or take less of it with "$from" and "$text".',
  }),
  'origin-refused': (d: { origin: string; option?: string | undefined }) => ({
    severity: 'warning',
    message:
      d.origin === 'null'
        ? 'A page whose origin is unknown (a local file, a sandboxed frame, another site) is refused.'
        : `Pages of the origin ${quote(d.origin)} are refused: they come from neither this machine nor this host.`,
    fix:
      d.option === undefined
        ? `Set the option "cors" to [${quote(d.origin)}], or to true to answer every page.`
        : `Allow the origin with ${d.option}.`,
  }),
  'origin-unknown': (d: { origin: string }) => ({
    message: `No route has the origin ${quote(d.origin)}.`,
    fix: 'Add a route with its URL, as in url: https://api.example.com/orders.',
  }),
  'origin-unmatched': (d: { request: string }) => ({
    message: `No route answers ${d.request}, and with unmatched: 'fail' no request leaves this machine.`,
    fix: `Add a route with its address, as in url: ${d.request.replace(/^\S+ /, '')}.`,
  }),
  'origin-own': (d: { origin: string }) => ({
    severity: 'warning',
    message: `Routes have the origin ${quote(d.origin)}, which is this server itself: its pages ask it by path.`,
    fix: 'Write the path instead: path: /orders.',
  }),
  'origin-proxied': (d: { origin: string }) => ({
    severity: 'warning',
    message: `Routes have the origin ${quote(d.origin)}, which the proxy of this server asks: they answer the proxy, too.`,
    fix: 'Write the path that pages ask instead, as in path: /api/orders. Or set the option "outgoing" to false: then only pages are answered.',
  }),
  'origin-twice': (d: { origin: string }) => ({
    severity: 'warning',
    message: `Two instances of the plugin have routes of the origin ${quote(d.origin)}: the first one answers.`,
    fix: 'Keep the routes of one origin in the fixtures of one instance.',
  }),
  'host-refused': (d: { host: string; option?: string | undefined }) => ({
    severity: 'warning',
    message: `Requests for the host name ${quote(d.host)} are refused: under a name of its own, any web page could reach this server.`,
    fix:
      d.option === undefined
        ? `Set the option "allowedHosts" to [${quote(d.host)}], or to true to answer under every name.`
        : `Allow the name with ${d.option}.`,
  }),
  'upgrade-refused': (d: { path: string }) => ({
    severity: 'warning',
    message: `A WebSocket to ${d.path} was refused: fixtures answer this path over HTTP only.`,
    fix: 'Add a route with "websocket", as in { path: "/chat", websocket: { open: { send: { type: hello } } } }; a GraphQL client has to speak graphql-transport-ws. Or let the proxy of the dev server forward WebSockets at this path to your backend ("ws: true").',
  }),
  'subscriptions-legacy': () => ({
    severity: 'warning',
    message:
      'A GraphQL WebSocket was refused: the client speaks the protocol "graphql-ws" of the package subscriptions-transport-ws, which is no longer maintained.',
    fix: 'Use the package graphql-ws, whose protocol is "graphql-transport-ws": GraphQLWsLink in Apollo Client, subscriptionExchange in urql.',
  }),
  'socket-io': (d: { why: 'no-route' | 'version' | 'binary'; path?: string }) => ({
    severity: 'warning',
    message: {
      'no-route': `A client of Socket.IO was not answered: no route with protocol: socket.io has the path ${d.path}.`,
      version: 'A client of Socket.IO was refused: it is older than version 3.',
      binary: 'A binary message of Socket.IO was left out.',
    }[d.why],
    fix: {
      'no-route':
        'Add one, as in { path: /socket.io, websocket: { protocol: socket.io, open: { send: { event: hello } } } }. Or let the proxy of the dev server forward the path to a server ("ws: true").',
      version: 'Install socket.io-client 4.',
      binary: 'Send text, such as Base64, as a part of an event.',
    }[d.why],
  }),
  'socket-failed': (d: { name: string; reason: string }) => ({
    message: `The WebSocket of route ${quote(d.name)} was closed: ${ended(d.reason)}`,
    fix: 'Correct the route, and connect again.',
  }),
  'scenario-unknown': (d: { name: string; by?: string | undefined; known: readonly string[] }) => ({
    severity: 'warning',
    message: d.by
      ? `The ${d.by} names the scenario ${quote(d.name)}, which no route has.`
      : `No route has the scenario ${quote(d.name)}.`,
    fix:
      d.known.length > 0
        ? suggest(d.name, d.known, 'Scenarios')
        : `Add a route for it, as in { path: "/orders", scenario: ${quote(d.name)}, response: { status: 503 } }.`,
  }),
  'navigation-answered': (d: { name: string }) => ({
    severity: 'warning',
    message: `The route ${quote(d.name)} answered a browser that opened its path; a page of the application at that path can't be opened.`,
    fix: 'If the application has such a page, set "navigation" to "passthrough" in the route or in the options; "answer" turns this message off.',
  }),
  'page-not-selected': (d: { name: string; parameter: string; value: string }) => ({
    severity: 'warning',
    message: `${d.parameter}=${d.value} selects no page, so the default of route ${quote(d.name)} answered.`,
    fix: 'Check the paging of the client: it asked for a page that the list does not have.',
  }),

  // Collections.
  'collection-item-unknown': (d: { request: string; name: string; id: string }) => ({
    message: `${d.request}: there is no item ${quote(d.id)} in ${quote(d.name)}.`,
    fix: `Request the list to see its ids. A reset restores the items of the file.`,
  }),
  'collection-write-refused': (d: { request: string; reason: string }) => ({
    message: `${d.request}: ${d.reason}.`,
    fix: 'Send a JSON object with the content type application/json, and for a new item an id that is free, or none.',
  }),
  'collection-item-changed': (d: { request: string; name: string; id: string }) => ({
    message: `${d.request}: item ${quote(d.id)} of ${quote(d.name)} has changed since the version in the header "if-match".`,
    fix: 'Read the item again, and send the "etag" of that answer.',
  }),
  'collection-operation-left-out': (d: { request: string; operation: string; name: string }) => ({
    message: `${d.request}: the collection ${quote(d.name)} has no ${quote(d.operation)}.`,
    fix: `Use a method of the header "allow", or add ${quote(d.operation)} to "only" in the fixture.`,
  }),
  'collection-query-unknown': (d: {
    request: string
    parameter: string
    name: string
    known: readonly string[]
  }) => ({
    severity: 'warning',
    message: `${d.request}: ${d.parameter} names ${quote(d.name)}, which ${d.parameter.endsWith('sort') ? 'no item has' : 'is no relation of the collection'}.`,
    fix:
      d.known.length > 0
        ? suggest(d.name, d.known, 'Known names')
        : 'Correct the request, or add "relations" to the collection.',
  }),

  // Requests that no route has answered, or whose route has failed.
  'request-body-malformed': (d: { request: string; reason: string }) => ({
    message: `The body of ${d.request} can't be read: ${ended(d.reason)}`,
    fix: 'Correct the body, or its content type. It is read because a route of this endpoint needs it.',
  }),
  'request-body-too-large': (d: { request: string; limit: number }) => ({
    message: `The body of ${d.request} exceeds ${formatSize(d.limit)}.`,
    fix: 'Send less, or raise the option "bodyLimit".',
  }),
  'request-encoding-unknown': (d: { request: string; encoding: string; accepted: readonly string[] }) => ({
    message: `The body of ${d.request} is encoded as ${quote(d.encoding)}, which can't be decoded here.`,
    fix: `Send it as it is${d.accepted.length > 0 ? `, or encoded as ${d.accepted.join(', ')}` : ''}.`,
  }),
  'request-encoding-corrupt': (d: { request: string; encoding: string; reason: string }) => ({
    message: `The body of ${d.request} is not encoded as ${quote(d.encoding)}: ${d.reason}.`,
    fix: 'Send what the header "content-encoding" says, or leave the header out.',
  }),
  'request-charset-unknown': (d: { request: string; charset: string }) => ({
    message: `The body of ${d.request} uses the charset ${quote(d.charset)}, which can't be read here.`,
    fix: 'Send it in UTF-8, and leave "charset" out of the header "content-type".',
  }),
  'request-body-used': (d: { request: string }) => ({
    message: `The body of ${d.request} has been read before, so it can't be read here.`,
    fix: 'Call the handler before anything reads the body, or give it `request.clone()`.',
  }),
  'function-failed': (d: {
    request: string
    name: string
    part: 'predicate' | 'response'
    reason: string
    fix?: string | undefined
  }) => ({
    message: `The ${d.part} function of route ${quote(d.name)} failed on ${d.request}: ${ended(d.reason)}`,
    fix: d.fix ?? 'Correct the function in the fixture file, and save it.',
  }),
  'function-timeout': (d: { request: string; name: string; limit: number }) => ({
    message: `The response function of route ${quote(d.name)} did not settle within ${formatDuration(d.limit)} on ${d.request}.`,
    fix: 'Let its promise resolve or reject, or raise the option "functionTimeout" (0 waits forever).',
  }),
  'rate-limited': (d: { request: string; name: string; requests: number; per: number; seconds: number }) => ({
    severity: 'warning',
    message: `${d.request} exceeds the limit of the route ${quote(d.name)}: ${plural(d.requests, 'request')} in ${formatDuration(d.per)}.`,
    fix: `Ask again in ${d.seconds} s, or change "rateLimit" in the fixture.`,
  }),
  'route-unmatched': (d: { request: string; nearest: string; hint?: string | undefined }) => ({
    message: `No route matched ${d.request}. Closest: ${d.nearest}.`,
    fix: `${d.hint === undefined ? 'Correct the request, correct a selector,' : `${d.hint} Or correct the request,`} or add a route without "when" as the default.`,
  }),
  'graphql-unparsed': (d: { request: string; reason: string; nearest: string }) => ({
    message: `The query of ${d.request} can't be parsed: ${d.reason} No route matched the rest of the request. Closest: ${d.nearest}.`,
    fix: 'Correct the query, since its operation can select a route only when it can be parsed. Or send "operationName" in the body, or add a route without "when" as the default.',
  }),
  'route-not-found': (d: { request: string }) => ({
    message: `No route answers ${d.request}.`,
    fix: 'Correct the method or the path, or add a route for it to a fixture file.',
  }),
  'internal-error': (d: { request: string; reason: string }) => ({
    message: `unplugin-mock-api failed on ${d.request}: ${ended(d.reason)}`,
    fix: 'This is a defect of the package. Please report it with the request and the fixture file.',
  }),
  'scenario-inactive': (d: { request: string; scenarios: readonly string[] }) => ({
    severity: 'warning',
    message: `No route answers ${d.request}: the only routes for it are in the scenario ${d.scenarios.map(quote).join(' or ')}, which is not active.`,
    fix: `Open the page with ?mock-scenario=${encodeURIComponent(d.scenarios[0]!)}, send the header "x-mock-scenario", or add a route without "scenario".`,
  }),
  'override-failed': (d: { request: string; failure: string }) => ({
    message: `An override made ${d.request} fail with ${d.failure}.`,
    fix: 'Switch it off in the inspector, or with POST /__mock-api/api/reset.',
  }),
  'fault-sent': (d: { name: string; fault: string }) => ({
    severity: 'warning',
    message: `The route ${quote(d.name)} broke its answer with the fault ${quote(d.fault)}.`,
    fix: 'Remove "fault" from its response to send the whole answer.',
  }),
  'fail-sent': (d: { request: string; name?: string | undefined; call: number; seed: string }) => ({
    severity: 'warning',
    message: `${d.request} failed, as ${d.name === undefined ? 'the switch "chaos"' : `"fail" of the route ${quote(d.name)}`} has it: request ${d.call} of its client, with the seed ${quote(d.seed)}.`,
    fix: `${d.name === undefined ? 'Switch it off in the inspector' : 'Remove "fail" from its response'}, or let others fail with the option values: { seed: 1 }. A reset counts from 1 again.`,
  }),
  'route-similar': (d: {
    request: string
    similar: string
    caughtBy?: string | undefined
    base?: string
    withoutBase?: string
  }) => ({
    severity: 'warning',
    message: `${
      d.caughtBy === undefined
        ? `No route answers ${d.request}.`
        : `Only the wildcard ${quote(d.caughtBy)} answers ${d.request}.`
    } Did you mean ${d.similar}?`,
    fix: `${
      d.withoutBase === undefined
        ? 'Correct the path or the method in the request, or add a route for it.'
        : `The base ${quote(d.base!)} is put before the path of every route, so write path: ${d.withoutBase}.`
    }`,
  }),
  'request-unanswered': (d: {
    request: string
    method: string
    path: string
    isPage: boolean | undefined
    base?: string
  }) => ({
    severity: 'warning',
    message: `No route answers ${d.request}${d.isPage === undefined ? '' : `, so the dev server answered with ${d.isPage ? 'a page' : 'nothing but a 404'}`}.`,
    fix:
      d.base === undefined
        ? `Add a route to a fixture file: ${d.method === 'GET' ? '' : `method: ${d.method}, `}path: ${d.path}.`
        : `The routes are below the base ${quote(d.base)}: ask there, or change the option "base".`,
  }),
  'request-path-malformed': (d: { request: string; endpoint: string }) => ({
    severity: 'warning',
    message: `No route answers ${d.request}: the percent-encoding of its path is malformed, so that ${d.endpoint} does not match.`,
    fix: 'Encode each part of the path with encodeURIComponent: "100%" becomes "100%25", and "ä" becomes "%C3%A4".',
  }),
  'page-out-of-range': (d: { parameter: string; value: string }) => ({
    severity: 'warning',
    message: `${d.parameter}=${d.value} points past the end of the list.`,
    fix: 'Stop paging where the last page says so, or set "outOfRange" in the fixture.',
  }),
  'page-malformed': (d: { parameter: string; value: string; expected: string }) => ({
    severity: 'warning',
    message: `${d.parameter}=${d.value} is invalid: ${quote(d.parameter)} must be ${d.expected}.`,
    fix: 'Correct the request, or write malformed: default in the fixture to answer it with the first page.',
  }),

  // What a fetch handler can't do, since it has neither files nor connections.
  'body-file-unsupported': (d: { path: string }) => ({
    message: `The body file ${quote(d.path)} can't be sent: a fetch handler has no files.`,
    fix: 'Write the body itself into "body". In fixture files of a bundle, the name has to be a literal: file: \'invoice.pdf\'.',
  }),
  'fault-not-exact': (d: { fault: string }) => ({
    severity: 'warning',
    message: `The fault ${quote(d.fault)} needs a connection, and there is none here: the body breaks off instead.`,
    fix: 'Try this fault on the dev server, where it is exact. For what each fault does elsewhere, see docs/faults.md.',
  }),

  // Answers inside the process of the application, with MSW or in tests.
  'host-not-own': (d: { request: string; host: string }) => ({
    severity: 'warning',
    message: `${d.request} of ${quote(d.host)} is not answered, although a route has its path: the host is not the application's own.`,
    fix: `If the request is for your backend, set the option "allowedHosts" to [${quote(d.host)}].`,
  }),
  'layers-overlap': (d: { layers: readonly string[] }) => ({
    severity: 'warning',
    message: `The same requests are answered by two layers: ${d.layers.join(', and ')}. The first to see a request answers it, with its own scenarios and sequences.`,
    fix: 'Remove one of them.',
  }),
} satisfies Texts

export const diagnoseRequest = createDiagnose(requestTexts)

export function refusedUpgrade(url: string) {
  return diagnoseRequest('upgrade-refused', {}, { path: url.split('?', 1)[0]! })
}
