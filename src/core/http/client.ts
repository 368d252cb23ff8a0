import { cookieValue } from './cookie-value.ts'
import { headerText, type Headers } from './raw-request.ts'

/**
 * Who a request comes from, as far as state is concerned: the header `x-mock-client`, else the cookie `mock-client`, else
 * the empty string, which means everyone.
 */
export function clientOf(headers: Headers): string {
  return headerText(headers, 'x-mock-client') ?? cookieValue(headers, 'mock-client') ?? ''
}
