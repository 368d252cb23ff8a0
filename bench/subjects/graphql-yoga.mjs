/** graphql-yoga with `@graphql-tools/mock`, from the same fixture as the package's schema-checked way. */
import { createServer } from 'node:http'
import { addMocksToSchema } from '@graphql-tools/mock'
import { makeExecutableSchema } from '@graphql-tools/schema'
import { createYoga } from 'graphql-yoga'
import { partialHeroes, typeDefs } from '../lib/graphql-data.mjs'

const schema = addMocksToSchema({
  schema: makeExecutableSchema({ typeDefs }),
  resolvers: { Query: { heroes: () => partialHeroes } },
})
createServer(createYoga({ schema, logging: false, graphiql: false })).listen(process.env.PORT, '127.0.0.1')
