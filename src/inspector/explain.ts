import { readPlainRequest } from '../core/answer/decide.ts'
import { candidatesOf, type Candidate as Unselected } from '../core/answer/decision.ts'
import type { RawRequest } from '../core/http/raw-request.ts'
import { Budget } from '../core/graphql/budget.ts'
import { graphqlReading } from '../core/graphql/later.ts'
import {
  anotherValue,
  describeRequest,
  isSecret,
  redacted,
  redactText,
  sentValue,
} from '../core/redact/redact.ts'
import { ParsedRequest } from '../core/request/parsed-request.ts'
import { hintAtPart, type UnmetCondition } from '../core/select/failed-conditions.ts'
import type { EndpointMatch } from '../core/table/match.ts'
import { toJson, writtenNumber } from '../core/values/exact-number.ts'
import type { CompiledRoute, Endpoint } from '../core/table/route-table.ts'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { formatPlace } from '../core/diagnostics/format.ts'
import { ended, listSome } from '../core/diagnostics/text.ts'
import type {
  AnsweredBy,
  Candidate,
  DiagnosticInfo,
  Explanation,
  FailedCondition,
  GraphQLFailure,
} from './api/api.ts'
import type { DecisionSummary } from './journal.ts'
import { endpointId, shownPosition } from './show.ts'
import { predicateText } from './write-selector.ts'
import { cutText } from '../core/values/describe-value.ts'

/** More candidates are only counted. */
const maxCandidates = 50
const maxShown = 200

/** `all` has each operation of a batch. */
type ReadRequest = { request: ParsedRequest; all: readonly ParsedRequest[] } | { refused: string }

/** @param operation of a batch, from 0 */
export function readRequest(match: EndpointMatch, raw: RawRequest, operation = 0): ReadRequest {
  const { graphql } = match.endpoint
  if (graphql) {
    const { readGraphQL, documentReaderOf } = graphqlReading()
    const payload = readGraphQL(raw, documentReaderOf(graphql), new Budget(graphql.maxCost))
    if (payload.malformed !== undefined) return { refused: payload.malformed }
    const all = (payload.batch ?? [payload.params]).map(
      (params) => new ParsedRequest(raw, match.params, params.payload, params),
    )
    return { request: all[operation]!, all }
  }
  const request = readPlainRequest(match, raw)
  return typeof request === 'string' ? { refused: request } : { request, all: [request] }
}

/** No route has the path, or routes were not asked. */
export function explainWithoutRoutes(
  answeredBy: AnsweredBy,
  summary: string,
  more: Pick<Partial<Explained>, 'scenarios' | 'reason'> & {
    endpoint?: Endpoint
    /** The endpoint, if its routes are in scenarios that are not active. */
    inactive?: Endpoint | undefined
  } = {},
): Explanation {
  const { scenarios = [], endpoint, reason, inactive } = more
  const routes = inactive?.routes.slice(0, maxCandidates) ?? []
  return {
    answeredBy,
    ...(endpoint && { endpoint: endpointId(endpoint) }),
    scenarios: [...scenarios],
    summary,
    ...(reason && { reason }),
    candidates: routes.map((route) => showCandidate(inactive!, { route, isInactive: true, unmet: [] })),
    more: ((endpoint ?? inactive)?.routes.length ?? 0) - routes.length,
  }
}

export interface Explained {
  answeredBy: AnsweredBy
  decided: DecisionSummary
  scenarios: readonly string[]
  reason: DiagnosticInfo | undefined
  errors?: GraphQLFailure | undefined
  callsPredicates: boolean
}

/** Each candidate, and all conditions that failed. */
export function explainDecision(
  { endpoint }: EndpointMatch,
  request: ParsedRequest,
  { answeredBy, decided, scenarios, reason, errors, callsPredicates }: Explained,
): Explanation {
  const { route: selected, step } = decided
  const own = selected ? [{ route: selected, isInactive: false, unmet: [] }] : []
  const others = candidatesOf(endpoint, request, selected, callsPredicates)
  const listed = [...own, ...others].slice(0, maxCandidates)
  const parts = selected?.response.kind === 'sequence' ? selected.response.parts.length : 0
  const unsaid = reason && withoutRoutes(reason)
  const { operation } = decided
  const ofBatch = operation ? `Operation ${operation.index + 1} of ${operation.of}: ` : ''
  const { mark = '', message = '' } = (!reason && errors) || {}
  const failure =
    mark && ` ${/failed$/.test(mark) ? 'Of the batch,' : 'The answer has'} ${mark}: ${ended(message)}`
  return {
    answeredBy,
    endpoint: endpointId(endpoint),
    ...(selected && { route: selected.id }),
    scenarios: [...scenarios],
    summary: `${ofBatch}${summarise(endpoint, decided, others[0])}${failure}`,
    ...(unsaid && { reason: unsaid }),
    ...(step !== undefined && { step: { number: step + 1, of: parts } }),
    candidates: listed.map((candidate) => showCandidate(endpoint, candidate, selected)),
    more: endpoint.routes.length - listed.length,
  }
}

/** Leaves out of the reason what summary and candidates say already. */
function withoutRoutes(reason: DiagnosticInfo): DiagnosticInfo | undefined {
  if (reason.code === 'route-unmatched') return undefined
  if (reason.code !== 'graphql-unparsed') return reason
  const left = { ...reason, message: reason.message.split(' No route matched ')[0]! }
  delete left.frame
  return left
}

function showCandidate(
  endpoint: Endpoint,
  { route, isInactive, unmet }: Unselected,
  selected?: CompiledRoute,
): Candidate {
  return {
    id: route.id,
    name: route.name,
    isSelected: route === selected,
    isDefault: !route.selector,
    ...shownPosition(route.source),
    unmet: [...(isInactive ? [inactiveScenario(endpoint, route)] : []), ...unmet.map(showFailed)],
  }
}

function summarise(
  endpoint: Endpoint,
  { by, route, choice, failed }: DecisionSummary,
  nearest: Unselected | undefined,
): string {
  const id = endpointId(endpoint)
  if (by === 'override') return `An override answers ${id}.`
  if (!route) {
    const closest = nearest && ` Closest: ${describeNearest(nearest)}.`
    if (by === 'nothing') return `No route matched.${closest}`
    if (by === 'passed-on') return `No route matched, so it is passed on.${closest}`
    return `${by === 'refused' ? 'Refused' : 'Answered'} before routing.`
  }
  const named = `"${route.name}" (${formatPlace(route.source)})`
  if (by === 'passed-on') return `${named} leaves navigations to the application, so it is passed on.`
  if (failed === 'rate-limit') return `The rate limit of ${named} is used up.`
  if (failed === 'fail') return `${named} is one that fails sometimes.`
  if (failed === 'function') return `A function of ${named} failed.`
  if (choice === 'forced') return `An override forces ${named}, whatever its selector.`
  if (route.selector) return `The selector of ${named} matches.`
  return endpoint.routes.length === 1
    ? `${named} is the only route of ${id}.`
    : `No selector matches, so the default route ${named} answers.`
}

/** `"order 7" (variables.id)` */
function describeNearest({ route, isInactive, unmet }: Unselected): string {
  const fields = unmet.map(({ field }) => field?.id ?? predicateText)
  return `"${route.name}" (${isInactive ? `scenario ${route.scenarios!.join(' or ')}` : listSome(fields)})`
}

/** Paths are relative to the project. */
export function showDiagnostic(diagnostic: Diagnostic, root: string): DiagnosticInfo {
  const { code, severity, message, fix, frame, stack } = diagnostic
  return {
    code,
    severity,
    message: redactText(message),
    fix: redactText(fix),
    ...(frame !== undefined && { frame: redactText(frame) }),
    ...(stack !== undefined && { stack: redactText(stack.replaceAll(`${root}/`, '')) }),
    ...shownPosition(diagnostic),
  }
}

/** The method and path are shown next to it: `Refused before routing: the body exceeds 1 MiB.` */
export function summariseRefusal(raw: RawRequest, reason: DiagnosticInfo | undefined): string {
  if (!reason) return 'Refused before routing.'
  const said = reason.message.replace(` of ${describeRequest(raw)}`, '')
  return `Refused before routing: ${said.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())}`
}

/** An active scenario is the condition before all selectors. */
function inactiveScenario({ active }: Endpoint, { scenarios = [] }: CompiledRoute): FailedCondition {
  return {
    field: 'scenario',
    expected: scenarios.join(' or '),
    expectedType: 'scenario',
    ...(active && { received: active.scenarios.join(', ') }),
    receivedType: active ? 'scenario' : 'nothing',
  }
}

function showFailed(unmet: UnmetCondition): FailedCondition {
  const { field, expected, received } = unmet
  if (!field) {
    return {
      field: predicateText,
      expected: 'a truthy value',
      expectedType: 'function',
      received: 'a falsy value',
      receivedType: 'function',
    }
  }
  const isHidden = isSecret(field)
  const hidden = 'value' in expected ? anotherValue : sentValue
  const hint = hintAtPart(unmet)
  const written = 'written' in expected ? expected.written : isHidden ? redacted : toJson(expected.value)!
  return {
    field: field.id,
    expected: cutText(written, maxShown),
    expectedType:
      'written' in expected ? (written.startsWith('[') ? 'list' : 'operators') : typeOf(expected.value),
    ...(received !== undefined && {
      received: isHidden ? hidden : cutText(redactText(toJson(received) ?? ''), maxShown),
    }),
    receivedType: typeOf(received),
    ...(hint !== undefined && { hint }),
  }
}

function typeOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (writtenNumber(value) !== undefined) return 'number'
  return Array.isArray(value) ? 'list' : typeof value
}
