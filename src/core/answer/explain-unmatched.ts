import { formatPlace } from '../diagnostics/format.ts'
import { diagnoseRequest } from '../diagnostics/request-texts.ts'
import type { Refusal } from '../graphql/check-operation.ts'
import { describeErrors } from '../graphql/formatted-error.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { describeRequest } from '../redact/redact.ts'
import { describeUnmet, type FailedCondition } from '../select/failed-conditions.ts'
import type { Endpoint } from '../table/route-table.ts'
import { type Answer, type Candidate, candidatesOf } from './decision.ts'
import { explainError, graphqlErrors, maxListed } from './error-response.ts'

interface Reason {
  route: string
  place: string
  unmet: FailedCondition[]
}

/** Conditions of a route in a sentence. */
const maxConditions = 3

/** Each route with all that it lacks, the nearest first. */
export function explainUnmatched(endpoint: Endpoint, request: ParsedRequest): Answer {
  const { hint, frame, details, ...texts } = findCandidates(endpoint, request)
  const diagnostic = { ...diagnoseRequest('route-unmatched', {}, { ...texts, hint }), ...frame }
  return explainError({ endpoint, raw: request.raw }, 404, diagnostic, details)
}

export function explainUnparsed(endpoint: Endpoint, request: ParsedRequest, { status, errors }: Refusal) {
  const { frame, details, ...texts } = findCandidates(endpoint, request)
  const reason = describeErrors(errors)
  const diagnostic = { ...diagnoseRequest('graphql-unparsed', {}, { ...texts, reason }), ...frame }
  const extensions = { code: diagnostic.code, fix: diagnostic.fix, ...details }
  const response = graphqlErrors(status, [{ ...errors[0]!, extensions }], request.raw)
  return { response, diagnostic }
}

function findCandidates(endpoint: Endpoint, request: ParsedRequest) {
  const candidates = candidatesOf(endpoint, request).slice(0, maxListed)
  const routes = candidates.map((candidate) => reasonFor(endpoint, candidate))
  const more = endpoint.routes.length - routes.length
  const [nearest, ...others] = routes.map(describe)
  const inspector = request.raw.inspected?.inspectorAddress?.()
  const lines = [...others.map((text) => `  - ${text}`), ...(more > 0 ? [`  … and ${more} more`] : [])]
  return {
    request: describeRequest(request.raw),
    nearest: nearest!,
    hint: routes.flatMap(({ unmet }) => unmet).find(({ hint }) => hint !== undefined)?.hint,
    // The message has the nearest route already.
    frame: lines.length > 0 && { frame: lines.join('\n') },
    details: { routes, ...(more > 0 && { more }), ...(inspector !== undefined && { inspector }) },
  }
}

/** An inactive scenario comes before every selector. */
function reasonFor({ active }: Endpoint, { route, isInactive, unmet }: Candidate): Reason {
  const scenario = {
    selector: 'scenario',
    expected: route.scenarios?.join(' or ') ?? '',
    received: active?.scenarios.join(' and ') ?? 'none',
  }
  const conditions = unmet.map(describeUnmet)
  return {
    route: route.name,
    place: formatPlace(route.source),
    unmet: isInactive ? [scenario, ...conditions] : conditions,
  }
}

function describe({ route, place, unmet }: Reason): string {
  const [first] = unmet
  const named = `"${route}" (${place})`
  if (first?.selector === 'predicate') return `${named}, whose function "when" returned ${first.received}`
  if (first?.selector === 'scenario') return `${named} needs the scenario ${first.expected}`
  const more = unmet.length - maxConditions
  const wanted = unmet
    .slice(0, maxConditions)
    .map(({ selector, expected, received }) => `${selector} to be ${expected}, not ${received}`)
  return `${named} wants ${wanted.join(', and ')}${more > 0 ? `, and ${more} more` : ''}`
}
