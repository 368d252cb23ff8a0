import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client'
import { ApolloProvider } from '@apollo/client/react'
import { relayStylePagination } from '@apollo/client/utilities'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BookOfTheMonth } from './book-of-the-month.tsx'
import { Books } from './books.tsx'
import './style.css'

const client = new ApolloClient({
  link: new HttpLink({ uri: '/graphql' }),
  cache: new InMemoryCache({
    typePolicies: { Query: { fields: { books: relayStylePagination() } } },
  }),
})

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <ApolloProvider client={client}>
      <main>
        <h1>Reading room</h1>
        <BookOfTheMonth />
        <Books />
      </main>
    </ApolloProvider>
  </StrictMode>,
)
