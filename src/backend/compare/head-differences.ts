import type { Route } from '../../core/fixture/route.ts'
import { headerOf, prepareResponse } from '../../core/response/prepare-response.ts'
import { quote } from '../../core/values/describe-value.ts'
import { isRecord, ownValue, type KeyPath } from '../../core/values/values.ts'
import { diagnoseAgainst } from './against-texts.ts'
import { shapeIn, type AnswerShape } from './answer-shape.ts'
import type { AskedRoute } from './ask/ask-backend-routes.ts'
import { endpointOf, type AgainstDiagnostic, type Found } from './found.ts'
import type { PlannedRequest } from './ask/plan-requests.ts'

/** Differences in front of the body. With some, the body is another one, and is not compared. */
export function headDifferences(
  { planned, sent, answer, needsSignIn, isGuess, isPassing }: AskedRoute,
  hasSignIn: boolean,
): Found[] {
  const endpoint = endpointOf(planned)
  const { route, status, operation } = planned
  const at = (keys: KeyPath, made: AgainstDiagnostic, cause = made.message): Found => ({
    ...made,
    ...{ route, keys, sent: [sent], endpoint, cause: `${made.code} ${cause}` },
  })
  const found: Found[] = []
  if (needsSignIn)
    found.push(at([], diagnoseAgainst('against-needs-sign-in', {}, { endpoint, hasSignIn }), ''))
  const key = ['response', 'status']
  if (operation !== undefined) return [...found, ...graphqlDifferences(planned, answer, at)]
  if (answer.status !== status) {
    if (isPassing) {
      const { status } = answer
      return [...found, at(key, diagnoseAgainst('against-status-new', {}, { endpoint, status }))]
    }
    // A 404 in JSON is about the id. A framework's own page or text knows no such path.
    const isGone = answer.status === 405 || (answer.status === 404 && !(isGuess && shapeIn(answer)))
    const { allow } = answer.headers
    if (isGone && status < 400)
      found.push(
        at(
          ['path'],
          diagnoseAgainst('against-endpoint-gone', {}, { endpoint, status: answer.status, allow }),
        ),
      )
    else
      found.push(
        at(
          key,
          diagnoseAgainst(
            'against-status',
            {},
            { endpoint, ours: status, theirs: answer.status, isBare: isBare(planned) },
          ),
        ),
      )
    return found
  }
  const own = ownContentType(route)
  const real = contentOf(answer)
  if (own !== undefined && planned.bodies.length > 0 && real !== undefined && own !== real) {
    const details = {
      endpoint,
      ours: own,
      theirs: real,
      isWritten: planned.headerNames.includes('content-type'),
    }
    found.push(at(['response'], diagnoseAgainst('against-content-type', {}, details)))
    if (own.includes('json') !== (shapeIn(answer) !== undefined)) return found
  }
  for (const name of planned.headerNames.filter(
    (one) => !unimportant.test(one) && !Object.hasOwn(answer.headers, one),
  ))
    found.push(at(['response', 'headers'], diagnoseAgainst('against-header-gone', {}, { name })))
  return found
}

/** Whether the fixture does not say which parameters the application sends. */
function isBare({ route, query, body, status }: PlannedRequest): boolean {
  return status < 400 && query.length === 0 && body === undefined && !route.selector
}

/** The type of the content, or what is wrong with it; `undefined` where the fixture may say anything. */
function contentOf({ headers, body }: AnswerShape): string | undefined {
  if (body === 'no body' || body === 'broken JSON') return body
  return mediaTypeOf(headers['content-type']) ?? (body === 'no JSON' ? body : undefined)
}

/** Headers that a fixture sets for itself, or that belong to a connection or a moment. */
export const unimportant =
  /^(?:content-(?:type|length|encoding)|date|etag|connection|keep-alive|transfer-encoding|vary|set-cookie|last-modified|age|server)$/

export function ownContentType({ response, sequence, textType }: Route): string | undefined {
  const first = sequence?.parts[0]?.response ?? response
  return typeof first === 'function'
    ? undefined
    : mediaTypeOf(headerOf(prepareResponse(first, undefined, textType), 'content-type'))
}

function mediaTypeOf(type: string | undefined): string | undefined {
  return type?.split(';', 1)[0]!.trim().toLowerCase()
}

type At = (keys: KeyPath, made: AgainstDiagnostic, cause?: string) => Found

function graphqlDifferences({ operation, bodies }: PlannedRequest, answer: AnswerShape, at: At): Found[] {
  const name = operation === '' ? 'anonymous' : operation!
  const { errors, status } = answer
  const result = shapeIn(answer)?.object?.keys
  if (!result || (errors && !result['data']?.object)) {
    const reason = errors?.message ?? (errors ? 'it has errors.' : `the backend answers ${status}.`)
    const isResult = bodies.some((body) => isRecord(ownValue(body.value, 'data')))
    return isResult
      ? [at([], diagnoseAgainst('against-operation-refused', {}, { operation: name, reason }))]
      : []
  }
  const hasErrors = bodies.some((body) => Array.isArray(ownValue(body.value, 'errors')))
  if (!errors || hasErrors) return []
  const paths = errors.paths.length > 0 ? ` at ${errors.paths.map(quote).join(', ')}` : ''
  return [at([], diagnoseAgainst('against-graphql-error', {}, { operation: name, paths }))]
}
