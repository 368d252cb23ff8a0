import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client'
import { print } from 'graphql'
import { tap } from 'rxjs'

/** What went over the wire for one GraphQL request. Without a status, no response came. */
export interface Exchange {
  query: string
  status?: number
  route?: string | null
}

/** Pass this in a query's `context` to get the request and response that were sent. */
export interface ExchangeContext {
  onExchange?: (exchange: Exchange) => void
}

// Error locations refer to the text that was sent, which only a link can see: by now Apollo has
// transformed the document, and HttpLink is about to print it.
const exchangeLink = new ApolloLink((operation, forward) => {
  const report = () => {
    const { response, onExchange } = operation.getContext() as ExchangeContext & { response?: Response }
    const answer = response && { status: response.status, route: response.headers.get('x-mock-route') }
    onExchange?.({ query: print(operation.query), ...answer })
  }
  return forward(operation).pipe(tap({ next: report, error: report }))
})

export const graphqlClient = new ApolloClient({
  link: exchangeLink.concat(new HttpLink({ uri: '/graphql' })),
  cache: new InMemoryCache(),
})
