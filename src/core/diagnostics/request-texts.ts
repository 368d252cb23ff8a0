import { quote } from '../values/describe-value.ts'
import { createDiagnose, ended, suggest, type Texts } from './text.ts'

/** Requests, whether they are answered or not. */
export const requestTexts = {
  'body-not-json': (d: { reason: string }) => ({
    message: `The body can't be sent as JSON: ${ended(d.reason)}`,
    fix: 'Use plain objects, lists, strings, numbers, booleans and null.',
  }),
  'origin-refused': (d: { origin: string; option?: string | undefined }) => ({
    severity: 'warning',
    message:
      d.origin === 'null'
        ? 'A page whose origin is unknown (a local file, a sandboxed frame, another site) is not answered.'
        : `Pages of the origin ${quote(d.origin)} are not answered: they are neither of this machine nor of this host.`,
    fix:
      d.option === undefined
        ? `Set the option "cors" to [${quote(d.origin)}], or to true to answer every page.`
        : `Allow the origin with ${d.option}.`,
  }),
  'host-refused': (d: { host: string; option?: string | undefined }) => ({
    severity: 'warning',
    message: `Requests for the host name ${quote(d.host)} are not answered: under a name of its own, any web page could reach this server.`,
    fix:
      d.option === undefined
        ? `Set the option "allowedHosts" to [${quote(d.host)}], or to true to answer under every name.`
        : `Allow the name with ${d.option}.`,
  }),
  'upgrade-refused': (d: { path: string }) => ({
    severity: 'warning',
    message: `A WebSocket to ${d.path} was refused: fixtures answer this path over HTTP only.`,
    fix: 'Send queries and mutations over HTTP; subscriptions are not mocked. Or let the proxy of the dev server take WebSockets of this path to your backend ("ws: true").',
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
    message: `The route ${quote(d.name)} answered a browser that opened its path; a page of the application at that path is not shown.`,
    fix: 'Where the application has such a page, set "navigation" to "passthrough" in the route or in the options; "answer" turns this message off.',
  }),
  'page-not-selected': (d: { name: string; parameter: string; value: string }) => ({
    severity: 'warning',
    message: `${d.parameter}=${d.value} selects no page, so the default of route ${quote(d.name)} answered.`,
    fix: 'Check the paging of the client: it asked for a page that the list does not have.',
  }),
} satisfies Texts

export const diagnoseRequest = createDiagnose(requestTexts)

/** Why a WebSocket on the path of a route is refused. */
export function refusedUpgrade(url: string) {
  return diagnoseRequest('upgrade-refused', {}, { path: url.split('?', 1)[0]! })
}
