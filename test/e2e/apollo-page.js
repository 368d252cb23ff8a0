export { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
