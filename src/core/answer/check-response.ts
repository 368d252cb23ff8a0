import * as v from 'valibot'
import { fromIssues } from '../fixture/schema-issue.ts'
import { writeShort } from '../fixture/explain-key.ts'
import { isFileBody } from '../response/file-body.ts'
import { isBodiless } from '../response/prepare-response.ts'
import { functionResponseSchema, type FunctionResponse } from '../schema/schema.ts'
import { describeValue } from '../values/describe-value.ts'
import { findMisfit } from '../values/json-value.ts'
import { isPlainObject } from '../values/values.ts'
import { InvalidResponse } from './invalid-response.ts'

/**
 * Checks what a response function has returned.
 *
 * @throws InvalidResponse
 */
export function checkResponse(returned: unknown): FunctionResponse {
  if (!isPlainObject(returned)) {
    const fix =
      returned === undefined
        ? 'Return a response, as in return { body: [] }. An arrow function needs parentheses around an object: () => ({ body: [] }).'
        : `Return an object with what you return now as its body: { body: ${writeShort(returned)} }.`
    throw new InvalidResponse(`it returned ${describeValue(returned)}, not a response.`, fix)
  }
  const { issues, output } = v.safeParse(functionResponseSchema, returned)
  if (issues) {
    const [found] = fromIssues(issues, () => ({ file: '' }), 'returned')
    throw new InvalidResponse(`what it returned is not a response: ${lowerFirst(found!.message)}`, found!.fix)
  }
  // The checked copy, not the returned object: an accessor may return something else the next time.
  checkBody(output)
  return output
}

function checkBody(response: FunctionResponse): void {
  const { body, status = 200 } = response
  if (body === undefined && 'body' in response && !isBodiless(status)) {
    throw new InvalidResponse(
      'the body that it returned is undefined.',
      'Return the data itself, or null. To send no body at all, leave out the key "body".',
    )
  }
  if (ArrayBuffer.isView(body) || isFileBody(body)) return
  const misfit = findMisfit(body, 'body')
  if (misfit) {
    const reason = `it returned what can't be sent as JSON: ${misfit.path} is ${misfit.what}.`
    throw new InvalidResponse(reason, 'Return plain objects, lists, strings, numbers, booleans and null.')
  }
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
