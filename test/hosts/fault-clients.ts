import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import type { Page } from 'playwright-core'

/* How clients ask, and what they report when the answer fails. */

export interface FaultClient {
  name: string
  /**
   * What an application learns of the answer to a request for one of the faults, in a few words.
   *
   * @param arrival resolves when the server gets the next request
   */
  ask: (origin: string, fault: string, arrival: () => Promise<unknown>) => Promise<string>
}

/**
 * `fetch` with a time limit, without which no client ever gives up. The time is up when nothing more will come: after the head
 * of an answer that stalls, after the request where the answer is silence. So no clock decides what a client sees.
 */
function limitedFetch(fault: string, arrival: () => Promise<unknown>): typeof fetch {
  if (fault !== 'stalled' && fault !== 'silent') return fetch
  return async (input, init) => {
    const limit = new AbortController()
    const timeIsUp = () => {
      const signal = AbortSignal.timeout(1)
      signal.addEventListener('abort', () => limit.abort(signal.reason))
    }
    if (fault === 'silent') void arrival().then(timeIsUp)
    const response = await fetch(input, { ...init, signal: limit.signal })
    timeIsUp()
    return response
  }
}

export const nodeClients: FaultClient[] = [
  {
    name: 'fetch in Node',
    async ask(origin, fault, arrival) {
      try {
        const response = await limitedFetch(fault, arrival)(`${origin}/${fault}`)
        const read = await response.text().then(() => 'the whole body', describe)
        return `${response.status}, ${read}`
      } catch (error) {
        return describe(error)
      }
    },
  },
  {
    name: 'Apollo Client',
    async ask(origin, fault, arrival) {
      const link = new HttpLink({ uri: `${origin}/graphql`, fetch: limitedFetch(fault, arrival) })
      const client = new ApolloClient({ link, cache: new InMemoryCache() })
      const query = gql(`query ${fault} { items { id } }`)
      return client.query({ query }).then(() => 'the data', describe)
    },
  },
  {
    name: 'TanStack Query',
    async ask(origin, fault, arrival) {
      const client = new QueryClient()
      const observer = new QueryObserver(client, {
        queryKey: [fault],
        queryFn: async () => {
          const response = await limitedFetch(fault, arrival)(`${origin}/${fault}`)
          if (!response.ok) throw new Error(`HTTP ${response.status}`)
          return response.json() as Promise<unknown>
        },
        retry: 3, // its default in a browser
        retryDelay: 1,
      })
      const { error } = await new Promise<{ error: unknown }>((resolve) => {
        const unsubscribe = observer.subscribe((result) => {
          if (result.status === 'pending') return
          unsubscribe()
          resolve(result)
        })
      })
      client.clear()
      return error === null ? 'the data' : describe(error)
    },
  },
]

/** A page that sends the same requests, on a connection that it has used before. */
export function browserClient(page: Page): FaultClient {
  return {
    name: 'fetch in Chromium',
    async ask(origin, fault, arrival) {
      const arrived = arrival()
      const answer = page.evaluate(
        async ([url, stalls]) => {
          const describe = (error: unknown) => (error as Error).name
          const limit = new AbortController()
          const timeIsUp = () => {
            const signal = AbortSignal.timeout(1)
            signal.addEventListener('abort', () => limit.abort(signal.reason))
          }
          Object.assign(window, { timeIsUp })
          try {
            const response = await fetch(url, { signal: limit.signal })
            if (stalls) timeIsUp()
            const read = await response.text().then(() => 'the whole body', describe)
            return `${response.status}, ${read}`
          } catch (error) {
            return describe(error)
          }
        },
        [`${origin}/${fault}`, fault === 'stalled'] as const,
      )
      if (fault === 'silent') {
        await arrived
        await page.evaluate(() => (window as unknown as { timeIsUp: () => void }).timeIsUp())
      }
      return answer
    },
  }
}

/** An error by the name that a standard gives it. What else a program says about it is its own. */
function describe(error: unknown): string {
  const { name } = error as Error
  return /^(?:Type|Timeout)Error$/.test(name) ? name : 'an error'
}
