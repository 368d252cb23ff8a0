import type { FixtureOf } from './core/schema/contract.ts'
import type { Fixture } from './core/schema/schema.ts'

export type { FixtureOf, TypedDocument } from './core/schema/contract.ts'

export type { UploadedFile } from './core/http/body.ts'
export type {
  CollectionApi,
  CollectionItems,
  FixtureCollections,
  FixtureRequest,
} from './core/schema/function-types.ts'
export type {
  Fixture,
  FixtureResponse,
  FixtureRoute,
  Predicate,
  ResponseFunction,
} from './core/schema/schema.ts'
export type { FixtureSelector } from './core/schema/selector-schema.ts'

/** The default export of a fixture file in TypeScript or JavaScript. */
export type FixtureExport = Fixture | (() => Fixture | Promise<Fixture>)

/**
 * Adds types to a TypeScript or JavaScript fixture file, so a wrong key is a type error in the editor. Returns its
 * argument.
 *
 * @param fixture a list of routes, or a function that returns the list or a promise of it
 *
 * @example
 * // fixtures/orders.ts
 * import { defineFixture } from 'unplugin-mock-api/fixture'
 *
 * export default defineFixture([
 *   { path: '/orders/:id', response: ({ params }) => ({ body: { id: params.id, state: 'open' } }) },
 *   { path: '/orders/:id', when: { params: { id: 404 } }, response: { status: 404 } },
 * ])
 *
 * @example
 * // The body must be what the operation selects: HeroDocument is a TypedDocumentNode.
 * export default defineFixture<typeof HeroDocument>([
 *   { path: '/graphql', when: { operationName: 'Hero' }, response: { body: { data: { hero: null } } } },
 * ])
 *
 * @typeParam Contract the type of a GraphQL document, or of several (`typeof A | typeof B`), or the `paths` that
 * openapi-typescript writes. Default: bodies are not checked
 */
export function defineFixture<Contract = never>(
  fixture: () => ListOf<Contract> | Promise<ListOf<Contract>>,
): () => Fixture | Promise<Fixture>
export function defineFixture<Contract = never>(fixture: ListOf<Contract>): Fixture
export function defineFixture(fixture: FixtureExport): FixtureExport {
  return fixture
}

/** One type for a route, so that editors find the comments of its keys, and the key that was probably meant. */
type ListOf<Contract> = [Contract] extends [never] ? Fixture : FixtureOf<OfParameter<Contract>>

/** Not made from the list itself, as `NoInfer` of TypeScript 5.4. */
type OfParameter<Contract> = [Contract][Contract extends unknown ? 0 : never]
