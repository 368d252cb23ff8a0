import type { Route } from '../../core/fixture/route.ts'
import type { KeyPath } from '../../core/values/values.ts'
import { diagnoseAgainst, type againstTexts } from './against-texts.ts'
import type { KeyEdit } from './key-edits.ts'
import type { PlannedRequest } from './ask/plan-requests.ts'

export type AgainstDiagnostic = ReturnType<typeof diagnoseAgainst>

/** A difference at a key of a route, where one endpoint shows it. Its place in a file is found by who shows it. */
export interface RouteDifference extends AgainstDiagnostic, NamedDifference {
  code: AgainstDiagnostic['code']
  route: Route
  keys: KeyPath
  /** Requests that show it: `GET /users/1`. */
  sent: readonly string[]
  /** Text that is the same wherever one cause shows. */
  cause: string
  edits?: readonly KeyEdit[]
}

/** One cause, told once for all endpoints that show it. */
export interface FoundDifference extends RouteDifference {
  /** Endpoints where it shows, too. */
  alsoIn: readonly string[]
  /** How fixtures become like the answers. */
  edits: readonly KeyEdit[]
  /** Whether nothing of it is left after the edits. */
  isCertain: boolean
}

/** A difference as a list of accepted ones names it. */
export interface NamedDifference {
  /** The key in the message, if it is about one. */
  key?: string
  code: string
  /** The endpoint: `GET /users/:id`. */
  endpoint: string
}

export function foundAt<C extends AgainstDiagnostic['code']>(
  place: Pick<RouteDifference, 'route' | 'keys' | 'sent' | 'endpoint'>,
  code: C,
  ...details: Parameters<(typeof againstTexts)[C]>
): RouteDifference {
  const made = diagnoseAgainst(code, {}, ...details)
  // Sign-in is one cause for all endpoints.
  const cause = code === 'against-needs-sign-in' ? code : `${code} ${made.message}`
  return { ...made, ...place, cause }
}

export function endpointOf({ method, path, operation }: PlannedRequest): string {
  return operation ? `the operation ${operation}` : `${method} ${path}`
}

/** Answers that are compared together: those of one endpoint, operation and status. */
export function groupOf(
  { method, path, operation }: { method: string; path: string; operation?: string | undefined },
  status: number,
): string {
  return JSON.stringify([method, path, operation, status])
}
