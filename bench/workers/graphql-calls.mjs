/** Prints the cost of each step of a GraphQL answer, in process: `[{ name, microseconds }]`. */
import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildSchema, executeSync, parse } from 'graphql'
import { build } from 'tsup'
import { heroes, partialHeroes, payload, query, typeDefs, verify } from '../lib/graphql-data.mjs'
import { median } from '../lib/stats.mjs'

const rows = []
const quick = process.argv[2] === 'quick'

/**
 * @param {string} name
 * @param {(input: any) => unknown} call
 * @param {() => unknown} [makeInput] creates the input of each call; not timed
 */
function time(name, call, makeInput) {
  const rounds = quick ? 10 : 40
  const calls = 500
  const times = []
  for (let round = -10; round < rounds; round++) {
    const inputs = Array.from({ length: calls }, () => makeInput?.())
    const start = process.hrtime.bigint()
    for (const input of inputs) call(input)
    if (round >= 0) times.push(Number(process.hrtime.bigint() - start) / 1000 / calls)
  }
  rows.push({ name, microseconds: median(times) })
}

await timeParts(await loadCore())
console.log(JSON.stringify(rows))

async function loadCore() {
  const folder = new URL('../scratch/graphql-core/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const entry = { core: fileURLToPath(new URL('graphql-core.mjs', import.meta.url)) }
  const outDir = fileURLToPath(folder)
  await build({ config: false, entry, outDir, format: 'esm', target: 'node20', silent: true, clean: false })
  return import(new URL('core.js', folder).href)
}

async function timeParts(core) {
  const { acceptedGraphQL, createChecker, createDocumentReader, defaultGraphQL, operationOf } = core
  const { prepareResponse, shapeResult } = core
  const read = createDocumentReader(defaultGraphQL)
  const { variables } = payload()
  const whole = { data: { heroes } }
  const partial = { data: { heroes: partialHeroes } }
  const document = read(query)
  const operation = operationOf(document, undefined)
  const makeChecker = () =>
    createChecker([{ file: 'schema.graphql', text: typeDefs }], { scalars: {} }).checker
  const checker = makeChecker()
  const shape = () => shapeResult(whole, document, operation, variables).result
  const execute = () => checker.execute(document.ast, operation, variables, partial).result
  verify.fixed(JSON.stringify(shape()))
  verify.filled(JSON.stringify(execute()))
  if (checker.validate(document.ast).length > 0) throw new Error('the query is not valid')

  let last = 0
  const otherText = () => `${query}# ${++last}`
  const otherAst = () => read(otherText()).ast
  time('reading a document', read, otherText)
  time('reading a document, cached', () => read(query))
  time('shaping 20 objects', shape)
  time('shaping and serialising 20 objects', () => prepareResponse({ body: shape() }))
  time('executing with a schema, 20 objects', execute)
  time('executing with a schema and serialising', () => prepareResponse({ body: execute() }))
  const schema = buildSchema(typeDefs)
  const ast = parse(query)
  time('graphql-js alone, executing the same query', () =>
    executeSync({ schema, document: ast, rootValue: whole.data, variableValues: variables }),
  )
  time('validating against a schema', (other) => checker.validate(other), otherAst)
  time('validating against a schema, cached', () => checker.validate(document.ast))
  time('checking the variables', () => checker.checkVariables(operation, variables))
  const accepts = [
    '*/*',
    'application/graphql-response+json, application/json;q=0.9',
    'application/graphql-response+json;charset=utf-8, application/json; charset=utf-8, multipart/mixed',
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  ]
  for (const accept of accepts) {
    const name = `negotiation, \`${accept.length > 40 ? `${accept.slice(0, 40)}…` : accept}\``
    time(name, () => acceptedGraphQL({ headers: { accept } }))
  }
}
