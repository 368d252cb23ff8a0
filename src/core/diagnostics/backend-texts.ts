import { quote } from '../values/describe-value.ts'
import { createDiagnose, ended, suggest, type Texts } from './text.ts'

const howToFind =
  'Set the option "record" to { target: "https://staging.example", enabled: false }, or give the dev server a proxy for this path ("server.proxy" in Vite and Rsbuild, "devServer.proxy" in webpack and Rspack).'

/** All of Node's errors about certificates have this word: self-signed, expired, or of another host. */
const isAboutCertificate = (reason: string): boolean => /\bcertificate\b/i.test(reason)

const isElsewhere = (request: string): boolean => /^\S+ https?:/i.test(request)

export const backendTexts = {
  'patch-path-missing': (d: {
    name: string
    request: string
    written: string
    missing: string
    near: string | undefined
    more: number
  }) => ({
    severity: 'warning',
    message: `The answer of the backend to ${d.request} has no ${quote(d.missing)}, so route ${quote(d.name)} did not change ${quote(d.written)}${d.more > 0 ? `, nor ${d.more} more` : ''}.`,
    fix: `${d.near === undefined ? '' : `Did you mean ${quote(d.near)}? `}Correct the path in "patch". It is written in the keys of the answer, and the objects around a new key must be there.`,
  }),
  'backend-unknown': (d: { name: string; request: string; instead?: 'page' | 'nothing' }) => ({
    message: `Route ${quote(d.name)} can't answer ${d.request}: ${
      d.instead === undefined
        ? 'it is not known where the backend is.'
        : `no proxy of the dev server has the path, and the dev server itself has ${d.instead === 'page' ? 'only a page of the application' : 'nothing'} there.`
    }`,
    fix: howToFind,
  }),
  'record-without-backend': () => ({
    severity: 'warning',
    message: 'A recording runs, but nothing is recorded: there is no proxy and no target.',
    fix: 'Set the option "record" to { target: "https://staging.example" }, or give the dev server a proxy ("server.proxy" in Vite and Rsbuild, "devServer.proxy" in webpack and Rspack).',
  }),
  'record-headers-withheld': (d: { address: string }) => ({
    severity: 'warning',
    message: `The "headers" of the option "record" are not sent for requests from ${d.address}: they are for this machine.`,
    fix: 'Open the application on the machine of the dev server. If everyone on the network may use these headers, set them in the proxy of the dev server.',
  }),
  'backend-unreachable': (d: {
    name: string | undefined
    request: string
    target: string | undefined
    reason: string
  }) => ({
    message: `The backend${d.target === undefined ? '' : ` ${d.target}`} did not answer ${d.request}${d.name === undefined ? '' : ` for route ${quote(d.name)}`}: ${ended(d.reason)}`,
    fix: isAboutCertificate(d.reason)
      ? 'If you trust this backend, set `secure: false` in the option "record", or in the proxy of the dev server that has the path. Node.js reads further certificate authorities from the file in NODE_EXTRA_CA_CERTS.'
      : isElsewhere(d.request)
        ? 'Correct the address, or see whether this machine reaches it. Without `from: backend`, the route itself answers.'
        : 'Start the backend, or correct where requests are sent: the proxy of the dev server, or the option "record".',
  }),
  'origin-unreachable': (d: {
    request: string
    origin: string
    reason: string
    known: readonly string[]
  }) => ({
    message: `No route answers ${d.request}, and ${d.origin} did not answer it either: ${ended(d.reason)}`,
    fix: `${suggest(d.request, d.known, 'Routes of this origin')} Correct the request, or add a route with its address. With unmatched: 'fail', tests do not ask it.`,
  }),
  'outgoing-unreachable': (d: { request: string; target: string; reason: string }) => ({
    message: `The dev server ${d.target} was asked for ${d.request}, and did not answer: ${ended(d.reason)}`,
    fix: isAboutCertificate(d.reason)
      ? 'Trust its certificate: Node.js reads further certificate authorities from the file in NODE_EXTRA_CA_CERTS.'
      : 'Start it, or correct its address in the option "outgoing".',
  }),
  'outgoing-elsewhere': (d: { request: string }) => ({
    message: `Another process asks this server for ${d.request}, by its option "outgoing", but only a dev server with the plugin answers for other origins.`,
    fix: 'Name the address of the dev server in "outgoing". Without a dev server, set it to true: then that process answers by itself.',
  }),
  'backend-answer-unreadable': (d: { name: string; request: string; reason: string }) => ({
    message: `The answer of the backend to ${d.request} can't be changed by route ${quote(d.name)}: ${ended(d.reason)}`,
    fix: 'Remove `from: backend` from the route, so that the answer is passed on as it is, or write the answer as its "body".',
  }),
  'backend-answer-not-json': (d: { name: string; request: string; status: number; reason: string }) => ({
    message: `Route ${quote(d.name)} changes JSON, and the answer of the backend to ${d.request} (HTTP ${d.status}) is not JSON: ${ended(d.reason)}`,
    fix: `Correct the path or the backend. If the answer is a page of the application, no proxy has the path. ${howToFind}`,
  }),
} satisfies Texts

export const diagnoseBackend = createDiagnose(backendTexts)
