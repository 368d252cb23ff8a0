import type { Route } from '../../core/fixture/route.ts'
import { withoutParameters } from '../../core/http/body.ts'
import { headerOf, prepareResponse } from '../../core/response/prepare-response.ts'
import { quote } from '../../core/values/describe-value.ts'
import { isRecord, ownValue, type KeyPath } from '../../core/values/values.ts'
import type { againstTexts } from './against-texts.ts'
import { shapeIn, type AnswerShape } from './answer-shape.ts'
import type { AskedRoute } from './ask/ask-backend-routes.ts'
import { endpointOf, foundAt, type AgainstDiagnostic, type RouteDifference } from './found.ts'
import type { PlannedRequest } from './ask/plan-requests.ts'

/** Differences in front of the body. With some, the body is another one, and is not compared. */
export function headDifferences(
  { planned, sent, answer, needsSignIn, isGuess, isPassing }: AskedRoute,
  hasSignIn: boolean,
): RouteDifference[] {
  const endpoint = endpointOf(planned)
  const { route, status, operation } = planned
  const found: RouteDifference[] = []
  const add: Add = (keys, code, ...details) =>
    void found.push(foundAt({ route, keys, sent: [sent], endpoint }, code, ...details))
  if (needsSignIn) add([], 'against-needs-sign-in', { endpoint, hasSignIn })
  if (operation !== undefined) addGraphqlDifferences(planned, answer, add)
  if (operation !== undefined) return found
  const key = ['response', 'status']
  if (answer.status !== status) {
    const { status: theirs } = answer
    const { allow } = answer.headers
    // A 404 in JSON is about the id. A framework's own page or text knows no such path.
    const isGone = theirs === 405 || (theirs === 404 && !(isGuess && shapeIn(answer)))
    if (isPassing) add(key, 'against-status-new', { endpoint, status: theirs })
    else if (isGone && status < 400)
      add(['path'], 'against-endpoint-gone', { endpoint, status: theirs, allow })
    else add(key, 'against-status', { endpoint, ours: status, theirs, isBare: isBare(planned) })
    return found
  }
  const own = ownContentType(route)
  const real = contentOf(answer)
  if (own !== undefined && planned.bodies.length > 0 && real !== undefined && own !== real) {
    const isWritten = planned.headerNames.includes('content-type')
    add(['response'], 'against-content-type', { endpoint, ours: own, theirs: real, isWritten })
    if (own.includes('json') !== (shapeIn(answer) !== undefined)) return found
  }
  for (const name of planned.headerNames)
    if (!unimportant.test(name) && !Object.hasOwn(answer.headers, name))
      add(['response', 'headers'], 'against-header-gone', { name })
  return found
}

/** Whether the fixture does not say which parameters the application sends. */
function isBare({ route, query, body, status }: PlannedRequest): boolean {
  return status < 400 && query.length === 0 && body === undefined && !route.selector
}

/** The type of the content, or what is wrong with it; `undefined` where the fixture may say anything. */
function contentOf({ headers, body }: AnswerShape): string | undefined {
  if (body === 'no body' || body === 'broken JSON') return body
  const { 'content-type': type } = headers
  return type === undefined ? (body === 'no JSON' ? body : undefined) : withoutParameters(type)
}

/** Headers that a fixture sets for itself, or that belong to a connection or a moment. */
export const unimportant =
  /^(?:content-(?:type|length|encoding)|date|etag|connection|keep-alive|transfer-encoding|vary|set-cookie|last-modified|age|server)$/

export function ownContentType({ response, sequence, textType }: Route): string | undefined {
  const first = sequence?.parts[0]?.response ?? response
  if (typeof first === 'function') return undefined
  const type = headerOf(prepareResponse(first, undefined, textType), 'content-type')
  return type && withoutParameters(type)
}

type Add = <C extends AgainstDiagnostic['code']>(
  keys: KeyPath,
  code: C,
  ...details: Parameters<(typeof againstTexts)[C]>
) => void

function addGraphqlDifferences({ operation, bodies }: PlannedRequest, answer: AnswerShape, add: Add): void {
  const name = operation === '' ? 'anonymous' : operation!
  const { errors, status } = answer
  const result = shapeIn(answer)?.object?.keys
  if (!result || (errors && !result['data']?.object)) {
    const reason = errors?.message ?? (errors ? 'it has errors.' : `the backend answers ${status}.`)
    const isResult = bodies.some((body) => isRecord(ownValue(body.value, 'data')))
    if (isResult) add([], 'against-operation-refused', { operation: name, reason })
  } else if (errors && !bodies.some((body) => Array.isArray(ownValue(body.value, 'errors')))) {
    const paths = errors.paths.length > 0 ? ` at ${errors.paths.map(quote).join(', ')}` : ''
    add([], 'against-graphql-error', { operation: name, paths })
  }
}
