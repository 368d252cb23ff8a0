import { readPlainRequest } from '../core/answer/decide.ts'
import { candidatesOf, type Candidate as Unselected, type Decision } from '../core/answer/decision.ts'
import type { RawRequest } from '../core/http/raw-request.ts'
import { Budget } from '../core/graphql/budget.ts'
import { documentReaderOf } from '../core/graphql/document.ts'
import { readGraphQL } from '../core/graphql/params.ts'
import { anotherValue, isSecret, redacted, redactText, sentValue } from '../core/request/redact.ts'
import { ParsedRequest } from '../core/request/parsed-request.ts'
import { hintAtPart, type UnmetCondition } from '../core/select/failed-conditions.ts'
import type { EndpointMatch } from '../core/table/match.ts'
import type { CompiledRoute, Endpoint } from '../core/table/route-table.ts'
import { formatPlace } from '../core/diagnostics/format.ts'
import type { AnsweredBy, Candidate, Explanation, FailedCondition } from './api.ts'
import { endpointId, positionOf } from './show.ts'
import { predicateText, writeMatchingRoute } from './write-fixture.ts'

/** More candidates are only counted. */
const maxCandidates = 50
const maxShown = 200

type ReadRequest = { request: ParsedRequest } | { refused: string }

/** Of a batch, the first operation is read. */
export function readRequest(match: EndpointMatch, raw: RawRequest): ReadRequest {
  const { graphql } = match.endpoint
  if (graphql) {
    const payload = readGraphQL(raw, documentReaderOf(graphql), new Budget(graphql.maxCost))
    if (payload.malformed !== undefined) return { refused: payload.malformed }
    const [first] = payload.batch ?? [payload.params]
    return { request: new ParsedRequest(raw, match.params, first!.payload, first) }
  }
  const request = readPlainRequest(match, raw)
  return typeof request === 'string' ? { refused: request } : { request }
}

/** No route has the path, or routes were not asked. */
export function explainWithoutRoutes(
  answeredBy: AnsweredBy,
  summary: string,
  scenarios: readonly string[] = [],
  endpoint?: Endpoint,
): Explanation {
  return {
    answeredBy,
    ...(endpoint && { endpoint: endpointId(endpoint) }),
    scenarios: [...scenarios],
    summary,
    candidates: [],
    more: endpoint?.routes.length ?? 0,
  }
}

/** As the journal keeps it, or as a dry run has it. */
export interface Decided extends Pick<Decision, 'route' | 'choice' | 'failed'> {
  answeredBy: AnsweredBy
  scenarios: readonly string[]
  callsPredicates: boolean
}

/** Each candidate, and the first condition that failed. */
export function explainDecision(
  { endpoint }: EndpointMatch,
  request: ParsedRequest,
  decided: Decided,
): Explanation {
  const { answeredBy, route: selected, scenarios, callsPredicates } = decided
  const own = selected ? [{ route: selected, isInactive: false, unmet: [] }] : []
  const all = [...own, ...candidatesOf(endpoint, request, selected, callsPredicates)]
  const listed = all.slice(0, maxCandidates)
  return {
    answeredBy,
    endpoint: endpointId(endpoint),
    ...(selected && { route: selected.id }),
    scenarios: [...scenarios],
    summary: summarise(endpoint, decided),
    candidates: listed.map((candidate) => showCandidate(endpoint, candidate, selected)),
    more: endpoint.routes.length - listed.length,
  }
}

function showCandidate(
  endpoint: Endpoint,
  { route, isInactive, unmet }: Unselected,
  selected: CompiledRoute | undefined,
): Candidate {
  return {
    id: route.id,
    name: route.name,
    isSelected: route === selected,
    isDefault: !route.selector,
    ...positionOf(route.source),
    ...(isInactive ? { failed: inactiveScenario(endpoint, route) } : showUnmet(endpoint, route, unmet)),
  }
}

function summarise(endpoint: Endpoint, { answeredBy, route, choice, failed }: Decided): string {
  const id = endpointId(endpoint)
  if (answeredBy === 'override') return `An override of the control API answers ${id}.`
  if (!route) {
    const { length } = endpoint.routes
    const matches = length === 1 ? 'The only route' : `None of the ${length} routes`
    const none = `${matches} of ${id} ${length === 1 ? 'does not match' : 'matches'}`
    if (answeredBy === 'nothing') return `${none}.`
    if (answeredBy === 'passed-on') return `${none}, so it is passed on.`
    return `No route of ${id} was asked: the request was ${answeredBy === 'refused' ? 'refused' : 'answered'} before.`
  }
  const named = `"${route.name}" (${formatPlace(route.source)})`
  if (answeredBy === 'passed-on') return `${named} leaves navigations to the application, so it is passed on.`
  if (failed === 'rate-limit') return `The rate limit of ${named} is used up.`
  if (choice === 'forced') return `An override forces ${named}, whatever its selector.`
  if (route.selector) return `The selector of ${named} matches.`
  return endpoint.routes.length === 1
    ? `${named} is the only route of ${id}.`
    : `No selector matches, so the default route ${named} answers.`
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

function showUnmet(
  endpoint: Endpoint,
  route: CompiledRoute,
  unmet: readonly UnmetCondition[],
): Pick<Candidate, 'failed' | 'fix'> {
  const [first] = unmet
  if (!first) return {}
  const fix = writeMatchingRoute(endpoint, route, unmet)
  return { failed: showFailed(first), ...(fix !== undefined && { fix }) }
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
  const written =
    'written' in expected ? expected.written : isHidden ? redacted : JSON.stringify(expected.value)
  return {
    field: field.id,
    expected: cut(written),
    expectedType: 'written' in expected ? writtenType(expected.written) : typeOf(expected.value),
    ...(received !== undefined && {
      received: isHidden ? hidden : cut(redactText(JSON.stringify(received) ?? '')),
    }),
    receivedType: typeOf(received),
    ...(hint !== undefined && { hint }),
  }
}

function writtenType(written: string): string {
  return written.startsWith('[') ? 'list' : 'operators'
}

function typeOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}

function cut(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text
}
