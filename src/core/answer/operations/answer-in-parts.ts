import { type DeferredPart, mayPutOff, putOff } from '../../graphql/put-off.ts'
import { isFitted, isResult, jsonIn } from '../../graphql/result.ts'
import { waitOf } from '../../response/delay.ts'
import { withHeaders } from '../../response/prepare-response.ts'
import { partsFormat, partsFraming, writeParts } from '../../stream/parts.ts'
import type { Endpoint } from '../../table/route-table.ts'
import { isRecord, ownValue } from '../../values/values.ts'
import { headersOf } from '../answer-stream.ts'
import type { Answer, Decision } from '../decision.ts'
import { fitResult, withLocations } from './fit-to-operation.ts'

/** An answer of which the operation puts off parts. `undefined` for one that is sent as it is. */
export function answerInParts(
  { graphql }: Endpoint,
  { route, response, stream, request }: Decision,
): Pick<Answer, 'response' | 'stream' | 'diagnostic'> | undefined {
  const params = request!.graphql!
  const { document, operation, allVariables, budget } = params
  if (!operation || !route || !response || stream || response.fault !== undefined) return undefined
  const { raw } = request!
  const format = partsFormat(raw)
  if (!format || route.response.kind === 'backend' || !mayPutOff(operation, document!.fragments))
    return undefined
  const sent = jsonIn(response)
  if (!isResult(sent)) return undefined
  const isCut = isFitted(graphql, route.shape)
  const { result, diagnostic } = isCut ? { result: sent } : fitResult(graphql!, route, sent, params, true)
  if (!isRecord(result.data)) return undefined
  const { delay: each = 0, labels = {} } = response.incremental ?? {}
  const seed = { method: raw.method, path: raw.path, body: undefined }
  const settingsOf = ({ label = '' }: DeferredPart) =>
    ownValue(labels, label) as (typeof labels)[string] | undefined
  const deliveries = putOff(result as typeof result & { data: Record<string, unknown> }, {
    operation,
    fragments: document!.fragments,
    variables: allVariables,
    budget,
    isOnce: format.style === 'incrementalSpec=v0.2',
    delayOf: (part) => waitOf(settingsOf(part)?.delay ?? each, { ...seed, search: `#${part.id}` }),
    errorsOf(part) {
      const errors = settingsOf(part)?.errors
      return errors && withLocations({ errors, data: result.data }, params).errors
    },
  })
  if (deliveries.length === 1) return undefined
  const framing = partsFraming(format)
  const events = writeParts(deliveries, result, format)
  return {
    response: withHeaders({ ...response, body: '' }, { ...headersOf(framing), 'content-length': undefined }),
    stream: { events, end: 'complete', on: [], framing, raw, whole: response },
    diagnostic,
  }
}
