import { createMiddleware } from 'unplugin-mock-api/connect'
import { answer, failedAnswer, heroes, partialHeroes, typeDefs } from './graphql-data.mjs'
import { makeProject } from './project.mjs'

/** The ways in which the package answers GraphQL: the single route, and the options. */
const ways = {
  fixed: { route: { response: { body: { data: answer } } } },
  located: { route: { response: { body: failedAnswer } } },
  shaped: { route: { shape: true, response: { body: { data: { heroes } } } } },
  checked: {
    route: { response: { body: { data: { heroes: partialHeroes } } } },
    graphql: { schema: 'schema.graphql' },
  },
}

/** @param {keyof typeof ways} way @param {object} [graphql] further options */
export async function makeMiddleware(way, graphql) {
  const { route, ...options } = ways[way]
  const root = makeProject({
    'fixtures/heroes.json': JSON.stringify([{ method: 'POST', path: '/graphql', ...route }]),
    'schema.graphql': typeDefs,
  })
  const middleware = createMiddleware({
    root,
    watch: false,
    logLevel: 'error',
    ...options,
    graphql: { ...options.graphql, ...graphql },
  })
  await middleware.ready
  return middleware
}
