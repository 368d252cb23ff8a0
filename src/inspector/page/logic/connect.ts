import type { StreamEvent } from '../../api.ts'
import { call } from './api-client.ts'
import { cleared } from './cleared.ts'
import type { Change, ServerState } from './state.ts'

/** How long to wait before a stream that the browser has given up is opened again, in milliseconds. */
const retryDelay = 2000

/**
 * Follows the mock server until the returned function is called: loads everything each time the stream opens, since the server
 * may be another one then, and reports what changes.
 *
 * @param withPassed whether requests that are passed on are recorded and reported too
 */
export function connect(withPassed: boolean, report: (change: Change) => void): () => void {
  const query = withPassed ? 'passed=true' : ''
  let source: EventSource
  let timer: ReturnType<typeof setTimeout> | undefined
  let waiting: StreamEvent[] | undefined

  function open(): void {
    source = new EventSource(`api/requests/stream?${query}`)
    source.onopen = () => void load()
    source.onerror = () => {
      report({ event: 'connection', data: 'lost' })
      // The browser reconnects after a network error, but not after a response that is not a stream.
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, retryDelay)
    }
    for (const name of ['request', 'reload', 'state'] as const) {
      source.addEventListener(name, ({ data }: MessageEvent<string>) =>
        receive({ event: name, data: JSON.parse(data) as never }),
      )
    }
  }

  function receive(event: StreamEvent): void {
    if (waiting) return void waiting.push(event)
    report(event)
    if (event.event === 'reload') void loadFixtures().then(reportLoaded, () => {})
    // Scenarios, overrides and hits may all have changed.
    if (event.event === 'state') void loadState().then(reportLoaded, () => {})
  }

  /** Events that arrive meanwhile are applied afterwards: they may be newer than what is loaded. */
  async function load(): Promise<void> {
    waiting = []
    try {
      const parts = await Promise.all([loadRequests(query), loadFixtures(), loadState()])
      reportLoaded(Object.assign({}, ...parts))
      report({ event: 'connection', data: 'live' })
    } catch {
      report({ event: 'connection', data: 'lost' })
    }
    const missed = waiting
    waiting = undefined
    missed.forEach(receive)
  }

  const reportLoaded = (data: Partial<ServerState>) => report({ event: 'loaded', data })

  open()
  return () => {
    clearTimeout(timer)
    source.close()
  }
}

async function loadRequests(query: string): Promise<Partial<ServerState>> {
  const { requests, capacity } = await call('GET /requests', { query })
  return { requests: cleared.hide(requests), capacity }
}

async function loadFixtures(): Promise<Partial<ServerState>> {
  const [{ routes }, { diagnostics }, { known }] = await Promise.all([
    call('GET /routes'),
    call('GET /diagnostics'),
    call('GET /scenario'),
  ])
  return { routes, diagnostics, known }
}

async function loadState(): Promise<Partial<ServerState>> {
  const [{ scenario, known }, overrides, record] = await Promise.all([
    call('GET /scenario'),
    call('GET /overrides'),
    call('GET /record'),
  ])
  return { scenario, known, overrides, record }
}
