import { ApolloProvider } from '@apollo/client/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { graphqlClient } from './graphql-client.ts'
import { onFixtureReload } from './on-fixture-reload.ts'
import './styles.css'

// A failure should be seen when it happens, not after three silent retries.
const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } },
})

onFixtureReload(() => {
  void queryClient.invalidateQueries()
  void graphqlClient.refetchQueries({ include: 'active' })
})

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id "root"')

createRoot(root).render(
  <StrictMode>
    <ApolloProvider client={graphqlClient}>
      <QueryClientProvider client={queryClient}>
        <App />
      </QueryClientProvider>
    </ApolloProvider>
  </StrictMode>,
)
