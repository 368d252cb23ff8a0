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
  status?: number
  fault?: 'reset' | 'empty' | 'truncated' | 'malformed' | 'stalled' | 'silent'
  /** Only requests for this endpoint count: `GET /items`. Default: all. */
  endpoint?: string
}
