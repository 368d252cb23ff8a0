/*
 * Fixture files with any number of routes, and a request that the last of them answers (the worst case of a linear scan).
 * The cost of a request must not depend on the number of routes.
 */

/**
 * @typedef {object} RouteSet
 * @property {string} title
 * @property {(index: number) => object} route the route with that number, as a fixture file has it
 * @property {(index: number) => { method: string, url: string, headers?: Record<string, string>, body?: object }} request
 * one that this route answers
 */

const answer = (index) => ({ body: { route: index } })
const graphqlAnswer = (index) => ({ body: { data: { route: index } } })

/** @type {Record<string, RouteSet>} */
export const routeSets = {
  operationName: {
    title: 'one endpoint, by `operationName`',
    route: (index) => ({
      path: '/graphql',
      when: { operationName: `Query${index}` },
      response: graphqlAnswer(index),
    }),
    request: (index) => ({ method: 'POST', url: '/graphql', body: { operationName: `Query${index}` } }),
  },
  page: {
    title: 'one endpoint, by `page`',
    route: (index) => ({ path: '/r/items', when: { query: { page: index } }, response: answer(index) }),
    request: (index) => ({ method: 'GET', url: `/r/items?page=${index}` }),
  },
  mixed: {
    title: 'one endpoint, by three fields (query, header, body)',
    route: (index) => ({
      method: 'POST',
      path: '/r/search',
      when: {
        query: { page: index % 10 },
        headers: { 'x-tenant': `tenant-${index % 100}` },
        body: { filter: { id: index } },
      },
      response: answer(index),
    }),
    request: (index) => ({
      method: 'POST',
      url: `/r/search?page=${index % 10}`,
      headers: { 'x-tenant': `tenant-${index % 100}` },
      body: { filter: { id: index } },
    }),
  },
  paths: {
    title: 'distinct parametric paths',
    route: (index) => ({ path: `/r/list${index}/:id`, response: answer(index) }),
    request: (index) => ({ method: 'GET', url: `/r/list${index}/7` }),
  },
}

/** @param {keyof typeof routeSets} name @param {number} count */
export function routesOf(name, count) {
  return Array.from({ length: count }, (_, index) => routeSets[name].route(index))
}
