import { connectionKinds } from './connections.mjs'
import { functionKinds } from './functions.mjs'
import { graphqlKinds } from './graphql.mjs'
import { restKinds } from './rest.mjs'
import { versionKinds } from './versions.mjs'

/**
 * A kind of request. One in so many requests is of it, by its weight; some are for one host only.
 *
 * @typedef {{ name: string, weight: number, mode: string, host?: string }} Kind
 * @typedef {ReturnType<typeof import('../random.mjs').createRandom>} Random
 * @typedef {import('../connection.mjs').Answer} Answer
 *
 * One request and one answer, on a connection that others use too.
 * @typedef {Kind & { make: (random: Random) => { send: Buffer, isHead?: boolean, check: (answer: Answer) => string | undefined } }} SimpleKind
 *
 * One that needs a connection of its own.
 * @typedef {Kind & { run: (tools: import('./connections.mjs').Tools, random: Random) => Promise<{ outcome: string | number, problem?: string }> }} SpecialKind
 */

/** @returns {(SimpleKind | SpecialKind)[]} */
export function kindsFor(host, files) {
  return [...restKinds, ...functionKinds, ...graphqlKinds, ...connectionKinds, ...versionKinds(files)].filter(
    (kind) => kind.host === undefined || kind.host === host,
  )
}

/**
 * What the package keeps within bounds, such as the texts that it has warned of, must not look like growth: so many
 * requests of these fill it.
 */
export function fillings(kinds) {
  const named = (name) => kinds.filter((kind) => kind.name === name)
  return [
    { count: 1_040, kinds: named('page that there is not') },
    { count: 1_040, kinds: named('nearly ours') },
    { count: 1_040, kinds: named('GraphQL (shape): what there is not') },
    { count: 1_040, kinds: named('GraphQL (schema): unknown field') },
    { count: 2_400, kinds: kinds.filter(({ mode, make }) => mode === 'still' && make) },
  ].filter((filling) => filling.kinds.length > 0)
}
