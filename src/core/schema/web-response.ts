/**
 * The part of a Fetch `Response` that is read here. Not the global type: fixtures are type-checked with and without
 * TypeScript's "DOM" library.
 */
export interface WebResponse {
  readonly type: string
  readonly status: number
  readonly url: string
  readonly bodyUsed: boolean
  readonly headers: {
    forEach: (callback: (value: string, name: string) => void) => void
    getSetCookie?: () => string[]
  }
  clone: () => WebResponse
  arrayBuffer: () => Promise<ArrayBuffer>
}

/** Whether a value is a `Response`, of any realm. */
export function isWebResponse(value: unknown): value is WebResponse {
  return (
    Object.prototype.toString.call(value) === '[object Response]' &&
    typeof (value as Partial<WebResponse>).arrayBuffer === 'function' &&
    typeof (value as Partial<WebResponse>).headers?.forEach === 'function'
  )
}
