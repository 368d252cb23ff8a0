/* GraphQL: fixed and located, shaped, checked against a schema, strict, and refused. */
import { library } from '../project.mjs'
import { failingOperation, failureAt, hero, libraryOperation } from './documents.mjs'
import { createRandom } from '../random.mjs'
import { answers, failsWith, json, post, refuses, request } from './http.mjs'

const graphql = (payload) => post('/graphql', payload)
const heroes = answers(200, hero)

/** What a field is filled with must be the same for as long as the run lasts. */
const filled = new Map()

function filledTheSame(name) {
  return ({ status, text }) => {
    if (status !== 200 || JSON.parse(text).errors) return 'data without errors expected'
    const known = filled.get(name) ?? text
    filled.set(name, known)
    return text === known ? undefined : `the same as before expected: ${known}`
  }
}

function selected(random) {
  const { data, ...payload } = libraryOperation(random)
  return { send: graphql(payload), check: answers(200, { data }) }
}

function byGet(random) {
  const { data, query, variables } = libraryOperation(random)
  const search = new URLSearchParams({ query, variables: JSON.stringify(variables) })
  return { send: request('GET', `/graphql?${search}`), check: answers(200, { data }) }
}

function batch(random) {
  const operations = Array.from({ length: 1 + random.below(4) }, () => libraryOperation(random))
  const payload = operations.map(({ data, ...operation }) => operation)
  return {
    send: graphql(payload),
    check: answers(
      200,
      operations.map(({ data }) => ({ data })),
    ),
  }
}

const title = (random) => `t${random.below(1e9)}`

/** @type {import('./index.mjs').SimpleKind[]} */
export const graphqlKinds = [
  simple('plain', 'without a query', 3, () => ({ send: graphql({}), check: heroes })),
  simple('plain', 'without a body', 1, () => ({ send: request('POST', '/graphql'), check: heroes })),
  simple('plain', 'any query', 5, (random) => ({
    send: graphql({ query: `query Q${random.below(1e9)} { hero { name } }` }),
    check: heroes,
  })),
  simple('plain', 'failing', 3, () => ({
    send: graphql({ operationName: 'FailingQuery' }),
    check: answers(200, failureAt(1, 1)),
  })),
  simple('plain', 'failing, located', 10, (random) => {
    const { query, body } = failingOperation(random)
    return { send: graphql({ query }), check: answers(200, body) }
  }),
  simple('plain', 'batch, located', 3, (random) => {
    const { query, body } = failingOperation(random)
    return {
      send: graphql([{ query }, {}, { operationName: 'Other' }]),
      check: answers(200, [body, hero, hero]),
    }
  }),
  simple('plain', 'as a form', 1, () => ({
    send: request('POST', '/graphql', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'operationName=FailingQuery',
    }),
    check: answers(200, failureAt(1, 1)),
  })),
  simple('plain', 'malformed', 2, (random) => ({
    send: graphql(`{"query": ${random.below(1e6)}`),
    check: refuses(400, 'request-body-malformed'),
  })),
  simple('plain', 'nested too deep', 1, (random) => ({
    send: graphql({ query: `{${`${title(random)} {`.repeat(200)}` }),
    check: failsWith('The document nests deeper than'),
  })),
  simple('plain', 'subscription', 1, (random) => ({
    send: graphql({ query: `subscription { ${title(random)} }` }),
    check: failsWith('Subscriptions are not served here'),
  })),
  simple('plain', 'upload', 1, (random) => ({
    send: upload({ operationName: 'FailingQuery' }, 'x'.repeat(random.below(20_000))),
    check: answers(200, failureAt(1, 1)),
  })),

  simple('shape', 'selected', 10, selected),
  simple('shape', 'selected by GET', 2, byGet),
  simple('shape', 'batch', 3, batch),
  simple('shape', 'what there is not', 3, (random) => {
    const name = title(random)
    return {
      send: graphql({ query: `{ library { name ${name} } }` }),
      check: answers(200, { data: { library: { name: library.name, [name]: null } } }),
    }
  }),
  simple('shape', 'mutation', 2, (random) => ({
    send: graphql({
      query: `mutation Rename { ${title(random)}: rename(id: "b1") { id } }`,
      variables: { id: 'b1' },
    }),
    check: ({ status, text }) =>
      status === 200 && JSON.parse(text).errors?.[0].message === 'The name is taken.'
        ? undefined
        : 'errors expected',
  })),
  simple('shape', 'persisted', 2, () => ({
    send: graphql({ extensions: { persistedQuery: { version: 1, sha256Hash: 'abc' } } }),
    check: answers(200, { data: { library: { name: 'persisted' } } }),
  })),

  ...['schema', 'still'].flatMap((mode) => [
    simple(mode, 'selected', 8, selected, 80),
    simple(mode, 'batch', 2, batch, 20),
    simple(mode, 'filled in', 3, () => ({
      send: graphql({ query: '{ library { phone books { isbn author { mood } } } }' }),
      check: filledTheSame('books'),
    })),
    simple(mode, 'unknown field', 2, (random) => {
      const name = title(random)
      return { send: graphql({ query: `{ ${name} }` }), check: failsWith(`Cannot query field "${name}"`) }
    }),
    simple(mode, 'wrong variable', 2, (random) => ({
      send: graphql({
        query: 'query ($t: String) { find(text: $t) { id } }',
        variables: { t: random.below(1e6) },
      }),
      check: failsWith('Variable "$t" got invalid value'),
    })),
    simple(mode, 'syntax error', 2, (random) => ({
      send: graphql({ query: `{ ${title(random)} ` }),
      check: failsWith('Syntax Error'),
    })),
    simple(mode, 'introspection', 2, (random) => {
      const key = title(random)
      return {
        send: graphql({ query: `{ ${key}: __type(name: "Mood") { enumValues { name } } }` }),
        check: answers(200, { data: { [key]: { enumValues: [{ name: 'GOOD' }, { name: 'BAD' }] } } }),
      }
    }),
    simple(mode, 'mutation by GET', 1, () => ({
      send: request('GET', `/graphql?query=${encodeURIComponent('mutation { rename(id: 1) { id } }')}`),
      check: ({ status, headers }) =>
        status === 405 && headers.allow === 'POST' ? undefined : '405 expected',
    })),
  ]),
  simple('schema', 'not acceptable', 1, () => ({
    send: request('POST', '/graphql', {
      headers: { ...json, accept: 'image/png' },
      body: '{"query":"{ __typename }"}',
    }),
    check: ({ status }) => (status === 406 ? undefined : '406 expected'),
  })),
]

function upload(operations, file) {
  const boundary = 'between'
  const part = (name, text, extra = '') =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${extra}\r\n\r\n${text}\r\n`
  const body =
    part('operations', JSON.stringify(operations)) +
    part('map', '{"0":["variables.file"]}') +
    `${part('0', file, '; filename="a.txt"')}--${boundary}--\r\n`
  return request('POST', '/graphql', {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body,
  })
}

/** @param variants where nothing is ever reloaded: so many different ones, which all fit into what is kept */
function simple(mode, name, weight, make, variants = 15) {
  const makeOne = mode === 'still' ? (random) => make(createRandom(random.below(variants))) : make
  return { name: `GraphQL (${mode}): ${name}`, weight, mode, make: makeOne }
}

/** What is kept of these has to be thrown away again: documents, and answers with much to remember them by. */
export const floodKinds = [
  { name: 'flood: documents', weight: 1, mode: 'still', make: selected },
  {
    name: 'flood: variables',
    weight: 1,
    mode: 'still',
    make: (random) => ({
      send: graphql({
        query: 'query ($t: String) { library { shelf(of: $t) } }',
        variables: { t: title(random).padEnd(16_000, 'x') },
      }),
      check: ({ status, text }) =>
        status === 200 && Number.isInteger(JSON.parse(text).data?.library.shelf)
          ? undefined
          : 'a shelf expected',
    }),
  },
]
