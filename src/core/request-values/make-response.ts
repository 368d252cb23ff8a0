import type { ParsedRequest } from '../request/parsed-request.ts'
import type { FixtureResponse } from '../schema/schema.ts'
import type { RequestValue } from './compile-values.ts'
import { maxFromRequest } from './read-value.ts'

/** @throws TooMuchFromRequest */
export function makeResponse(value: RequestValue, request: ParsedRequest): FixtureResponse {
  return value.make({ request, left: maxFromRequest, sizes: new Map() }) as FixtureResponse
}
