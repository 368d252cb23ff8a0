import { LruMap } from '../values/lru-map.ts'

/** What the control API has switched on for mocked requests. A missing key is off. */
export interface Overrides {
  /** The route that answers an endpoint, by id, whatever its selector: `{ 'GET /items': 'GET /items #3' }`. */
  routes?: Readonly<Record<string, string>>
  /** Milliseconds that answers wait in addition to their own delay: all of them, or those of some endpoints. */
  delay?: number | Readonly<Record<string, number>>
  /** The next requests fail, with a status or with a fault of docs/faults.md. */
  failNext?: FailNext
  /** Every request fails as if the network were down. */
  offline?: boolean
}

export interface FailNext {
  /** How many requests still fail. */
  count: number
  /** Default 500, unless there is a fault. */
  status?: number
  fault?: OverrideFault
  /** Only requests for this endpoint count: `GET /items`. Default: all. */
  endpoint?: string
}

type OverrideFault = 'reset' | 'empty' | 'truncated' | 'malformed' | 'stalled' | 'silent'

/** What overrides do to one request. */
export interface OverrideEffect {
  /** How it fails, if it does. */
  failure?: { status: number } | { fault: OverrideFault }
  /** Additional milliseconds. */
  delay: number
}

/** Clients whose overrides are remembered; beyond that, the least recently used is forgotten. */
const maxClients = 1000
const nothing: Overrides = {}

/** The overrides of everyone and of single clients. A client with overrides of its own has only these. */
export class OverrideSet {
  /** Whether anything is switched on. While nothing is, no request looks any further. */
  isOn = false
  #everyone: Overrides = nothing
  readonly #ofClients = new LruMap<string, Overrides>({ max: maxClients })

  get(client: string): Overrides {
    return (client === '' ? undefined : this.#ofClients.get(client)) ?? this.#everyone
  }

  /** Replaces the overrides of everyone, or of one client; empty ones of a client leave it those of everyone. */
  set(overrides: Overrides, client: string): void {
    if (client === '') this.#everyone = overrides
    else if (Object.keys(overrides).length > 0) this.#ofClients.set(client, overrides)
    else this.#ofClients.delete(client)
    this.isOn = this.#ofClients.size > 0 || Object.keys(this.#everyone).length > 0
  }

  /** Switches everything off: for everyone, with all clients, or for one client alone. */
  reset(client: string): void {
    if (client === '') this.#ofClients.clear()
    this.set(nothing, client)
  }

  /** The id of the route that must answer an endpoint. */
  routeFor(client: string, endpoint: string): string | undefined {
    const { routes } = this.get(client)
    return routes && Object.hasOwn(routes, endpoint) ? routes[endpoint] : undefined
  }

  /**
   * What happens to a request. Counts it, if the next requests are to fail.
   *
   * @param isDryRun whether it is only explained, and not counted
   */
  take(client: string, endpoint: string, isDryRun = false): OverrideEffect {
    const overrides = this.get(client)
    const delay = delayOf(overrides, endpoint)
    if (overrides.offline) return { failure: { fault: 'reset' }, delay: 0 }
    const { failNext } = overrides
    if (!failNext || (failNext.endpoint !== undefined && failNext.endpoint !== endpoint)) return { delay }
    const { count, fault, status = 500 } = failNext
    const { failNext: counted, ...left } = { ...overrides, failNext: { ...failNext, count: count - 1 } }
    const owner = this.#ofClients.has(client) ? client : ''
    if (!isDryRun) this.set(counted.count > 0 ? { ...left, failNext: counted } : left, owner)
    return { failure: fault === undefined ? { status } : { fault }, delay }
  }
}

function delayOf({ delay = 0 }: Overrides, endpoint: string): number {
  if (typeof delay === 'number') return delay
  return Object.hasOwn(delay, endpoint) ? delay[endpoint]! : 0
}
