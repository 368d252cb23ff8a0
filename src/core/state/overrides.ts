import { LruMap } from '../values/lru-map.ts'

/** Switches of the control API for mocked requests. A missing key is off. */
export interface Overrides {
  /**
   * The route that answers an endpoint, by name or id, whatever its selector and its scenario: `{ 'GET /items': 'sold out' }`.
   * They are kept by id, so that edits of other routes change nothing; a route that is gone is not forced.
   */
  routes?: Readonly<Record<string, string>>
  /** Milliseconds that answers wait in addition to their own delay: all of them, or those of some endpoints. */
  delay?: number | Readonly<Record<string, number>>
  /** The next requests fail, with a status or with a fault of docs/faults.md. */
  failNext?: FailNext
  /** The id of a sad path: the answers that it is for go wrong in that way, until it is switched off. */
  sadPath?: string
  /** Answer to the next request for an endpoint, once. */
  nextAnswer?: NextAnswer
  /** Every request fails as if the network were down. */
  offline?: boolean
  /** The share of answers of routes, above 0 and at most 1, that are a status 500, 502, 503 or 504. */
  chaos?: number
}

export interface NextAnswer {
  /** `GET /items` */
  endpoint: string
  /** GraphQL: only a request for this operation counts. */
  operationName?: string
  /** Default 200. */
  status?: number
  headers?: Readonly<Record<string, string>>
  /** Any JSON value. A string is sent as it is. */
  body?: unknown
}

export interface FailNext {
  count: number
  /** Default 500, unless there is a fault. */
  status?: number
  fault?: OverrideFault
  /** Only requests for this endpoint count: `GET /items`. Default: all. */
  endpoint?: string
}

type OverrideFault = 'reset' | 'empty' | 'truncated' | 'malformed' | 'stalled' | 'silent'

export interface OverrideEffect {
  failure?: { status: number } | { fault: OverrideFault }
  /** Additional milliseconds. */
  delay: number
}

/** Remembered clients; beyond that, the least recently used is forgotten. */
export const maxClients = 1000
const nothing: Overrides = {}

/** A client with its own overrides has none of everyone's. */
export class OverrideSet {
  /** False while nothing is switched on, so that no request looks further. */
  isOn = false
  #everyone: Overrides = nothing
  readonly #ofClients = new LruMap<string, Overrides>({ max: maxClients })
  readonly #onChange: () => void

  constructor(onChange = () => {}) {
    this.#onChange = onChange
  }

  get(client: string): Overrides {
    return (client === '' ? undefined : this.#ofClients.get(client)) ?? this.#everyone
  }

  /** Empty overrides of a client restore those of everyone. */
  set(overrides: Overrides, client = ''): void {
    this.#put(overrides, client)
    this.#onChange()
  }

  #put(overrides: Overrides, client: string): void {
    if (client === '') this.#everyone = overrides
    else if (Object.keys(overrides).length > 0) this.#ofClients.set(client, overrides)
    else this.#ofClients.delete(client)
    this.isOn = this.#ofClients.size > 0 || Object.keys(this.#everyone).length > 0
  }

  /** Everyone with all clients, or one client. It is part of a larger change, which is told as one. */
  reset(client: string): void {
    if (client === '') this.#ofClients.clear()
    this.#put(nothing, client)
  }

  routeFor(client: string, endpoint: string): string | undefined {
    const { routes } = this.get(client)
    return routes && Object.hasOwn(routes, endpoint) ? routes[endpoint] : undefined
  }

  /** Applies the overrides to a request. @param isDryRun whether it is only explained, and not counted */
  take(client: string, endpoint: string, isDryRun = false): OverrideEffect {
    const overrides = this.get(client)
    const delay = delayOf(overrides, endpoint)
    if (overrides.offline) return { failure: { fault: 'reset' }, delay: 0 }
    const { failNext } = overrides
    if (!failNext || (failNext.endpoint !== undefined && failNext.endpoint !== endpoint)) return { delay }
    const { count, fault, status = 500 } = failNext
    const { failNext: counted, ...left } = { ...overrides, failNext: { ...failNext, count: count - 1 } }
    if (!isDryRun) this.set(counted.count > 0 ? { ...left, failNext: counted } : left, this.#ownerFor(client))
    return { failure: fault === undefined ? { status } : { fault }, delay }
  }

  /** Takes the answer that replaces that of the request. With `isDryRun`, it stays for the next one. */
  takeAnswer(
    client: string,
    endpoint: string,
    operationName?: string,
    isDryRun = false,
  ): NextAnswer | undefined {
    const { nextAnswer, ...left } = this.get(client)
    if (nextAnswer?.endpoint !== endpoint) return undefined
    if (nextAnswer.operationName !== undefined && nextAnswer.operationName !== operationName) return undefined
    if (!isDryRun) this.set(left, this.#ownerFor(client))
    return nextAnswer
  }

  #ownerFor(client: string): string {
    return this.#ofClients.has(client) ? client : ''
  }
}

function delayOf({ delay = 0 }: Overrides, endpoint: string): number {
  if (typeof delay === 'number') return delay
  return Object.hasOwn(delay, endpoint) ? delay[endpoint]! : 0
}
