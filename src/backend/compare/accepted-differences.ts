import type { NamedDifference } from './found.ts'

/** List of accepted differences, in the root of the project. */
export const acceptedFile = 'mock-api-accepted.yaml'

/** A difference from the real API that a project accepts. */
export interface AcceptedEntry {
  /** Name of the difference, such as `key-gone address.*`. A `*` stands for any text. */
  against: string
  /** Endpoint that shows it: `GET /users/:id`. Default: any. */
  request?: string
  reason: string
}

/** `key-gone address.zip`, `status` */
export function nameOfDifference({ code, key = '' }: NamedDifference): string {
  return `${code.replace('against-', '')} ${key}`.trim()
}

export function isAccepted(
  { against, request = '*' }: AcceptedEntry,
  name: string,
  endpoint: string,
): boolean {
  return fits(against.replace(/ \*$/, '*'), name) && isForEndpoint({ request }, endpoint)
}

/** Whether an entry is for an endpoint. The operation of GraphQL is enough. */
export function isForEndpoint({ request = '*' }: Pick<AcceptedEntry, 'request'>, endpoint: string): boolean {
  return fits(request, endpoint) || fits(`the operation ${request}`, endpoint)
}

function fits(pattern: string, text: string): boolean {
  return new RegExp(`^${pattern.replace(/[\\^$.|?+()[\]{}]/g, '\\$&').replaceAll('*', '.*')}$`, 's').test(
    text,
  )
}
