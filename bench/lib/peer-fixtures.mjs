import { failing, hero, itemsPage } from './answers.mjs'

/*
 * The templates as fixture files of each Vite plugin: name and text of one file each. Data if the plugin accepts data,
 * otherwise code.
 */

const code = (value) => JSON.stringify(value, null, 2)

export const mockDevServerFile = {
  name: 'mock/templates.mock.json',
  text: code([
    { url: '/items', method: 'GET', validator: { query: { page: '2' } }, body: itemsPage(2) },
    { url: '/items', method: 'GET', validator: { query: { page: '3' } }, body: itemsPage(3) },
    { url: '/items', method: 'GET', body: itemsPage(1) },
    {
      url: '/graphql',
      method: 'POST',
      validator: { body: { operationName: 'FailingQuery' } },
      body: failing,
    },
    { url: '/graphql', method: 'POST', body: hero },
  ]),
}

export const fakeServerFile = {
  name: 'fake/templates.fake.js',
  text: `const pages = ${code([1, 2, 3].map(itemsPage))}
const hero = ${code(hero)}
const failing = ${code(failing)}

export default [
  { url: '/items', method: 'GET', response: ({ query }) => pages[(query.page ?? 1) - 1] },
  {
    url: '/graphql',
    method: 'POST',
    response: ({ body }) => (body.operationName === 'FailingQuery' ? failing : hero),
  },
]
`,
}
