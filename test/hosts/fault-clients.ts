import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import type { Page } from 'playwright-core'

/* How clients ask, and what they say when that fails. */

/** Milliseconds that each of them waits: without a limit of its own, none of them ever gives up. */
const patience = (fault: string) => (fault === 'stalled' || fault === 'silent' ? 300 : 10_000)

export interface FaultClient {
  name: string
  /** What an application learns of the answer to a request for one of the faults, in a few words. */
  ask: (origin: string, fault: string) => Promise<string>
}

export const nodeClients: FaultClient[] = [
  {
    name: 'fetch in Node',
    async ask(origin, fault) {
      try {
        const response = await fetch(`${origin}/${fault}`, { signal: AbortSignal.timeout(patience(fault)) })
        const read = await response.text().then(() => 'whole', describe)
        return `${response.status}, ${read}`
      } catch (error) {
        return describe(error)
      }
    },
  },
  {
    name: 'Apollo Client',
    async ask(origin, fault) {
      const link = new HttpLink({
        uri: `${origin}/graphql`,
        fetchOptions: { signal: AbortSignal.timeout(patience(fault)) },
      })
      const client = new ApolloClient({ link, cache: new InMemoryCache() })
      const query = gql(`query ${fault} { items { id } }`)
      return client.query({ query }).then(() => 'the data', describe)
    },
  },
  {
    name: 'TanStack Query',
    async ask(origin, fault) {
      const client = new QueryClient()
      const observer = new QueryObserver(client, {
        queryKey: [fault],
        queryFn: async () => {
          const response = await fetch(`${origin}/${fault}`, { signal: AbortSignal.timeout(patience(fault)) })
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

/** A page that asks in the same way, on a connection that it has used before. */
export function browserClient(page: Page): FaultClient {
  return {
    name: 'fetch in Chromium',
    ask: (origin, fault) =>
      page.evaluate(
        async ([url, milliseconds]) => {
          const describe = (error: unknown) => `\`${(error as Error).name}: ${(error as Error).message}\``
          try {
            const response = await fetch(url, { signal: AbortSignal.timeout(milliseconds) })
            const read = await response.text().then(() => 'whole', describe)
            return `${response.status}, ${read}`
          } catch (error) {
            return describe(error)
          }
        },
        [`${origin}/${fault}`, patience(fault)] as const,
      ),
  }
}

/** An error as a table shows it: its name, the beginning of its message, and the code of what caused it. */
function describe(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string } }
  const short = message.length > 40 ? `${message.slice(0, 39)}…` : message
  return `\`${name}: ${short}\`${cause?.code === undefined ? '' : ` (\`${cause.code}\`)`}`
}
