import { checkResponse } from './check-response.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { diagnoseFixture } from '../diagnostics/fixture-texts.ts'
import { functionRequest } from '../request/function-request.ts'
import { ignoreRejections } from '../values/json-value.ts'
import type { Limits } from './limits.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import type { FunctionResponse, ResponseFunction } from '../schema/schema.ts'
import { isBodiless } from '../response/prepare-response.ts'
import type { CompiledRoute } from '../table/route-table.ts'
import { isThenable } from '../values/values.ts'
import { isWebResponse } from '../schema/function-types.ts'
import { fromWebResponse } from './web-response.ts'

/**
 * The checked response of a response function: nothing in it can fail or change afterwards.
 *
 * @throws what the function throws, or an `InvalidResponse`
 */
export async function callResponse(
  respond: ResponseFunction,
  request: ParsedRequest,
  limits: Limits,
): Promise<FunctionResponse> {
  const called: unknown = respond(functionRequest(request))
  const returned = isThenable(called) ? await limits.inTime(called) : called
  try {
    if (isWebResponse(returned)) return await limits.inTime(fromWebResponse(returned))
    return checkResponse(returned)
  } catch (error) {
    ignoreRejections(returned)
    throw error
  }
}

/** A warning if a function has returned a body that is not sent with its status. `null` and an empty text are no body. */
export function findUnsentBody(
  { name, source }: CompiledRoute,
  { body, status = 200 }: FunctionResponse,
): Diagnostic | undefined {
  if (!isBodiless(status) || (body ?? '') === '') return undefined
  return diagnoseFixture('body-not-sent', source, { key: 'body', status, returnedBy: name })
}
