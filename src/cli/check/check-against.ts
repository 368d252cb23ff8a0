import { readFileSync } from 'node:fs'
import { print } from 'graphql/language/printer.js'
import { MockApiError } from '../../core/diagnostics/format.ts'
import { withGraphQLJs } from '../../core/graphql/with-graphql-js.ts'
import {
  askBackendRoutes,
  type AskedRoutes,
  type AskSettings,
} from '../../backend/compare/ask/ask-backend-routes.ts'
import { endpointOf } from '../../backend/compare/found.ts'
import { findDifferences, type RealityReport } from '../../backend/compare/find-differences.ts'
import {
  planRequests,
  type RequestPlan,
  type PlannedRequest,
} from '../../backend/compare/ask/plan-requests.ts'
import { createPoliteClient, type Ask, type Pace } from '../../backend/compare/ask/polite-client.ts'
import { answersIn, readShapes, saveShapes, type SavedShapes } from '../../backend/compare/saved-shapes.ts'
import { isAccepted, isForEndpoint, nameOfDifference } from '../../backend/compare/accepted-differences.ts'
import type { Route } from '../../core/fixture/route.ts'
import { canonicalTarget } from '../../core/http/host-name.ts'
import type { ResolvedOptions } from '../../core/options/resolve-options.ts'
import { listSome } from '../../core/diagnostics/text.ts'
import { plural } from '../../core/values/describe-value.ts'
import { getOrMake, groupBy } from '../../core/values/collections.ts'
import { refusalOf, type FileError } from '../../files/file-error.ts'
import { writeFile } from '../../files/write-files.ts'
import { backendsOfConfig, type ProxiedBackend } from '../code/plugin-options.ts'
import { readDocuments, type DocumentOperation } from '../documents/read-documents.ts'
import { fileToRead, placeToWrite } from '../places.ts'
import { UsageError, type Terminal } from '../terminal.ts'
import type { AcceptedDifference } from '../../explore/accepted.ts'
import { diagnoseAgainst } from '../../backend/compare/against-texts.ts'
import { acceptedIn } from '../accepted.ts'
import { wantedNames } from './answering.ts'
import { readCredentials, type Credentials } from './credentials.ts'
import type { LocateInRoute } from '../../loader/locate.ts'
import { updateFixtures } from './update-fixtures.ts'
import type { CheckFinding } from './texts.ts'

export interface AgainstOptions extends Credentials {
  /** The address of the backend, or a file of its shapes; `true` for that which the config of the bundler names. */
  against?: string | true
  save?: string
  writes?: boolean
  documents?: string[]
  update?: boolean
  accepted?: string
}

export interface ComparedWithBackend {
  findings: CheckFinding[]
  checked: ReadonlySet<Route>
  /** `22 of 26 routes compared with …`, and what was not. */
  summary: string[]
  /** The reason why `--update` or `--save` has not written its files, to be told after the findings. */
  refusal?: FileError | undefined
}

/** Where operations of an application are usually written. */
const usualDocuments = [
  'src/**/*.{graphql,gql,ts,tsx,js,jsx,mjs,vue,svelte}',
  'app/**/*.{graphql,gql,ts,tsx}',
]

/** @throws UsageError if nothing can be compared */
export async function checkAgainst(
  terminal: Terminal,
  routes: readonly Route[],
  options: ResolvedOptions,
  given: AgainstOptions,
  locate: LocateInRoute,
  pace?: Pace,
): Promise<ComparedWithBackend> {
  const saved = savedShapes(terminal, given)
  const { target, rewrite } = saved ? { target: saved.backend } : backendOf(given.against, options)
  const { operations } = await readDocuments(options.root, given.documents ?? usualDocuments)
  const documents = new Map(
    operations.flatMap(({ name, document }) =>
      name === undefined ? [] : [[name, print(document)] as const],
    ),
  )
  const plan = planRequests(routes, { graphqlPaths: options.graphql.paths, documents })
  const sent = saved ? plan.requests : await chooseSent(terminal, plan, given, target)
  const settings = {
    address: `${target}${options.base}`,
    headers: { ...options.record.headers, ...(saved ? {} : await readCredentials(terminal, given)) },
    ask: rewriting(createPoliteClient(pace), target, rewrite),
  }
  const asked = saved ? answersIn(saved, sent) : await askBackendRoutes(sent, settings)
  if (!saved) refuseIfNothing(asked, target, Object.keys(settings.headers).length > 0)
  const bySchema = saved
    ? undefined
    : await compareWithShownSchema(settings, { routes, ...asked }, operations, options, locate)
  const { file, differences: list } = acceptedIn(options.root, given.accepted)
  const occurs = new Map<AcceptedDifference, Set<string>>()
  const report = findDifferences(asked.asked, routes, (one) => {
    const name = nameOfDifference(one)
    const entry = list.find((entry) => isAccepted(entry, name, one.endpoint))
    if (entry) getOrMake(occurs, entry, () => new Set()).add(name)
    return entry !== undefined
  })
  const updated = given.update ? await updateFixtures(terminal, report.differences, options) : undefined
  const differences = report.differences.filter((one) => !updated?.written.has(one))
  const findings = await Promise.all(
    differences.map(async (difference): Promise<CheckFinding> => {
      const { code, severity, message, sent, alsoIn } = difference
      const [left] = updated?.left.get(difference) ?? []
      const { route, keys } = left ?? difference
      const place = keys.length === 0 ? route.source : await locate(route, keys)
      const fix = left ? 'Edit it by hand: --update cannot write it here.' : difference.fix
      return { code, severity, message, fix, ...place, sent: describeSent(sent, alsoIn) }
    }),
  )
  const endpoints = asked.asked.map(({ planned }) => endpointOf(planned))
  const all = routes.flatMap(({ path, method = ['GET'], selector }) => [
    ...method.map((one) => `${one} ${path}`),
    ...(selector ? wantedNames(selector).map((name) => `the operation ${name}`) : []),
  ])
  for (const entry of list) {
    const isFor = (one: string) => isForEndpoint(entry, one)
    // One of an endpoint that was not asked may occur another time.
    if (!occurs.has(entry) && (endpoints.some(isFor) || !all.some(isFor)))
      findings.push(diagnoseAgainst('against-accepted-gone', { file, line: entry.line }, entry))
  }
  const accepted = new Set([...occurs.values()].flatMap((names) => [...names])).size
  const summary = summarise(plan, sent, asked, report, target)
  if (bySchema) {
    findings.push(...bySchema.findings)
    summary.push(`${plural(bySchema.checked.size, 'route')} compared with the schema that it shows`)
  }
  let refusal = updated?.refusal
  if (given.save !== undefined) {
    const place = placeToWrite(terminal.cwd, given.save, 'file')
    const refused = refusalOf(() => writeFile(place, saveShapes(asked.asked, target)))
    refusal ??= refused
    if (!refused) summary.push(`shapes saved in ${given.save}`)
  }
  if (accepted > 0) summary.push(`${plural(accepted, 'difference')} accepted`)
  if (updated && updated.changes.length > 0)
    summary.push(
      `${plural(updated.written.size, 'difference')} written${updated.partly > 0 ? `, and ${updated.partly} in part,` : ''} into ${updated.changes.map(({ name }) => name).join(', ')}`,
    )
  return { findings, checked: report.compared, summary, refusal }
}

/** Operations that are not sent, such as mutations, are compared with what introspection tells. */
async function compareWithShownSchema(
  settings: AskSettings,
  { routes, asked }: { routes: readonly Route[]; asked: AskedRoutes['asked'] },
  operations: readonly DocumentOperation[],
  { graphql }: ResolvedOptions,
  locate: LocateInRoute,
) {
  const answered = new Set(asked.map(({ planned }) => planned.route))
  const left = routes.filter((route) => graphql.paths.includes(route.path) && !answered.has(route))
  if (left.length === 0 || graphql.schema.length > 0) return undefined // `--schema` compares all of them
  // Without graphql-js, as without introspection, nothing is known of them.
  const schemas = await withGraphQLJs(() => import('./check-graphql.ts')).catch((error: unknown) => {
    if (!(error instanceof MockApiError)) throw error
  })
  const schema = await schemas?.introspect(
    `${settings.address}${left[0]!.path}`,
    settings.headers,
    settings.ask,
  )
  if (!schemas || !schema) return undefined
  const names = left.flatMap(({ selector }) => (selector ? wantedNames(selector) : []))
  const own = operations.filter(({ name }) => name !== undefined && names.includes(name))
  return schemas.checkGraphQL({
    routes: left,
    operations: own,
    schema,
    isServed: false,
    isShaped: graphql.shape,
    locate,
  })
}

/** Shapes that `--save` has written; nothing if the backend itself is asked. */
function savedShapes({ cwd }: Terminal, { against, save }: AgainstOptions): SavedShapes | undefined {
  if (typeof against !== 'string' || /^[a-z]+:/i.test(against) || !against.endsWith('.json')) return undefined
  const saved = readShapes(readFileSync(fileToRead(cwd, against), 'utf8'))
  if (!saved)
    throw new UsageError(`${against} has no shapes. Write it with --against <url> --save ${against}.`)
  if (save !== undefined)
    throw new UsageError('--save needs the address of a backend: name it with --against.')
  return saved
}

function backendOf(against: string | true | undefined, { record, root }: ResolvedOptions): ProxiedBackend {
  if (against === true) {
    if (record.target !== undefined) return { target: record.target }
    const [only, ...others] = backendsOfConfig(root)
    if (only !== undefined && others.length === 0) return only
    throw new UsageError(
      only === undefined
        ? 'The config of the bundler names no backend. Name it: --against https://staging.example.com'
        : `The config of the bundler has proxies to ${[only, ...others].map(({ target }) => target).join(', ')}. Name one with --against.`,
    )
  }
  const target = against === undefined ? undefined : canonicalTarget(against)
  if (target === undefined)
    throw new UsageError(
      `${against} is neither the address of a backend, such as https://staging.example.com, nor a .json file of its shapes.`,
    )
  // The address of a proxy is asked as the proxy would.
  return backendsOfConfig(root).find((one) => one.target === target) ?? { target }
}

/** Asks as a proxy that changes paths does. */
function rewriting(ask: Ask, target: string, rewrite: ProxiedBackend['rewrite']): Ask {
  if (!rewrite) return ask
  const [pattern, replacement] = rewrite
  const rewritten = (url: string) =>
    target + url.slice(target.length).replace(new RegExp(pattern), replacement)
  return (request) => ask({ ...request, url: rewritten(request.url) })
}

/** Requests that may change data are only sent if somebody says so, and sees them before. */
async function chooseSent(
  terminal: Terminal,
  { requests, left }: RequestPlan,
  { writes }: AgainstOptions,
  target: string,
): Promise<PlannedRequest[]> {
  const isSafe = ({ isWrite }: PlannedRequest) => !isWrite
  const others = requests.filter((one) => !isSafe(one))
  const leave = (why: string) => {
    left.push(...others.map((one) => ({ route: one.route, why: `${kindOf(one)} ${why}` })))
    return requests.filter(isSafe)
  }
  if (others.length === 0) return requests
  if (!writes) return leave('needs --writes')
  terminal.note(`These requests may change data of ${target}:`)
  for (const one of others) terminal.note(`  ${kindOf(one)} ${one.operation ?? one.path}`)
  const isWanted = !terminal.isInteractive || (await terminal.confirm('Send them?'))
  return isWanted ? requests : leave('was not confirmed')
}

function kindOf({ operation, method }: PlannedRequest): string {
  return operation === undefined ? method : 'mutation'
}

/** One line instead of one for each route. */
function refuseIfNothing({ asked, left }: AskedRoutes, target: string, hasCredentials: boolean): void {
  const every = (test: (status: number, type: string) => boolean) =>
    asked.length > 0 && asked.every(({ answer }) => test(answer.status, answer.headers['content-type'] ?? ''))
  const nothing = (why: string) => new UsageError(`Nothing was compared: ${why}`)
  if (asked.length === 0 && left.length > 0) throw nothing(`${target} gave no answer: ${left[0]!.why}.`)
  const howTo = 'Give credentials with --header, --cookies or --script.'
  if (every((status) => status === 401 || status === 403))
    throw nothing(`${target} refuses every request. ${hasCredentials ? 'Renew the credentials.' : howTo}`)
  if (every((status) => status >= 500))
    throw nothing(`${target} answers every request with an error of its own.`)
  if (asked.length > 2 && every((status) => status === 404))
    throw nothing(
      `${target} answers every request with 404. Is the beginning of the paths missing in the address?`,
    )
  const isJson = asked.some(({ planned }) => planned.bodies.length > 0)
  if (isJson && every((status, type) => (status >= 300 && status < 400) || type.includes('html')))
    throw nothing(`${target} answers every request with a page, such as that for sign-in. ${howTo}`)
}

function describeSent(sent: readonly string[], alsoIn: readonly string[]): string {
  const more = sent.length > 1 ? ` and ${sent.length - 1} more` : ''
  return `${sent[0]}${more}${alsoIn.length > 0 ? `; also in ${alsoIn.join(', ')}` : ''}`
}

function summarise(
  { left }: RequestPlan,
  sent: readonly PlannedRequest[],
  asked: AskedRoutes,
  { compared, unknown }: RealityReport,
  target: string,
): string[] {
  const notCompared = [
    ...left,
    ...asked.left.map(({ planned, why }) => ({ route: planned.route, why })),
  ].filter(({ route }) => !compared.has(route))
  const reasons = [...groupBy(notCompared, ({ why }) => why)].map(([why, all]) => {
    const left = [...new Set(all.map(({ route }) => route))]
    const names = left.map(
      ({ method = ['GET'], path, selector }) =>
        (selector && wantedNames(selector)[0]) ?? `${method[0]} ${path}`,
    )
    return `${left.length} (${why}: ${listSome(names)})`
  })
  const all = new Set([...sent, ...notCompared].map(({ route }) => route)).size
  const places = Object.entries(unknown).map(
    ([why, count]) => `${count} ${unknownPlaces[why]![Number(count > 1)]}`,
  )
  const count = Object.values(unknown).reduce((sum, one) => sum + one, 0)
  return [
    `${compared.size} of ${plural(all, 'route')} compared with ${target}`,
    ...(reasons.length > 0 ? [`not compared: ${reasons.join(', ')}`] : []),
    ...(count > 0 ? [`${plural(count, 'place')} unknown: ${places.join(', ')}`] : []),
  ]
}

/** Why a place says nothing: once, and several times. */
const unknownPlaces: Record<string, readonly [string, string]> = {
  empty: ['empty list', 'empty lists'],
  null: ['value that is always null', 'values that are always null'],
  request: ['value of the request', 'values of the request'],
  long: ['answer that is too long or too deep', 'answers that are too long or too deep'],
}
