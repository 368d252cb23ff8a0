import { diagnoseRequest } from '../diagnostics/request-texts.ts'
import type { Route } from '../fixture/route.ts'
import { resultToFit } from '../graphql/result.ts'
import type { GraphQLEndpoint } from '../graphql/settings.ts'
import type { Paging } from '../paginate/page-styles.ts'
import { createPagedList } from '../paginate/paginate.ts'
import { compileValues, makeValue, RequestValue } from '../request-values/compile-values.ts'
import { makeResponse, withTexts } from '../request-values/make-response.ts'
import { type ValueSource, spend } from '../request-values/read-value.ts'
import { modelOf } from '../stream/stream.ts'
import { prepareResponse } from '../response/prepare-response.ts'
import type { FixtureResponse, ResponseFunction } from '../schema/schema.ts'
import { type PatchEntry, readChanges } from '../values/patch.ts'
import { reasonOf } from '../values/thrown.ts'
import type {
  CompiledFail,
  CompiledWrite,
  FromFixture,
  RouteResponse,
  SingleResponse,
} from './route-table.ts'

/** Everything that does not depend on the request is serialised here. */
export function compileResponse(
  route: Route,
  name: string,
  graphql: GraphQLEndpoint | undefined,
): RouteResponse {
  const { response, textType, sequence, paging, operation, shape, error, source, socket, then } = route
  if (error) return { kind: 'broken', diagnostic: error }
  if (operation) {
    const readsBody = !['list', 'get', 'delete'].includes(operation.does) && !operation.allow
    const base = response as FixtureResponse
    return { kind: 'collection', operation, response: base, readsBody, ...givenBy(base) }
  }
  const broken = (reason: string): RouteResponse => ({
    kind: 'broken',
    diagnostic: diagnoseRequest('body-not-json', source, { reason }),
  })
  if (socket) return { kind: 'websocket', socket, handshake: { ...socket.handshake(name), then } }
  if (paging) {
    const { items } = paging
    // Every host reads them before.
    if (!Array.isArray(items)) return broken('its items were not read.')
    const paged = compilePaged(route, { ...paging, items: items as unknown[] }, name)
    return { ...paged, ...givenBy(response as FixtureResponse) }
  }
  try {
    if (!sequence) return { ...compileSingle(response, 0), ...givenBy(response) }
    const parts = sequence.parts.map(({ response }, index) => ({
      ...compileSingle(response, index),
      ...givenBy(response),
    }))
    return { kind: 'sequence', parts, repeats: sequence.repeats }
  } catch (error) {
    return broken(`${reasonOf(error).replace(/\.$/, '')}.`)
  }

  function compileSingle(given: FixtureResponse | ResponseFunction, part: number): SingleResponse {
    if (typeof given === 'function') return { kind: 'function', respond: given }
    if (given.from === 'backend') return compileChanges(given)
    const { value, readsBody } = compileValues(given)
    if (given.stream !== undefined) {
      const model = modelOf(given)
      const definition = value as FixtureResponse | RequestValue
      return { kind: 'stream', definition, readsBody: readsBody || model !== undefined, model }
    }
    if (value instanceof RequestValue) return { kind: 'values', value, readsBody }
    // What is refused is an error of the answer.
    if (route.write) return { kind: 'values', value: new RequestValue(() => value), readsBody }
    const one = value as FixtureResponse
    const prepared = prepareResponse(one, name, textType)
    const body = resultToFit(graphql, shape, one.body, prepared)
    return body ? { kind: 'result', definition: { ...one, body }, part } : { kind: 'static', prepared }
  }
}

/** Without an answer of its own, a failure is the response, with a fault. */
function givenBy(response: FixtureResponse | ResponseFunction): FromFixture {
  if (typeof response === 'function') return {}
  if (!response.fail) return { given: response }
  const fails = [response.fail].flat().map(({ share, calls, fault, errors, ...given }): CompiledFail => {
    const isKept = fault !== undefined && !errors && Object.keys(given).length === 0
    const answer = {
      status: errors ? 200 : 500,
      ...(errors && { body: { data: null, errors } }),
      ...given,
      fault,
    }
    return { share, calls, fault, ...(!isKept && { value: compileValues(answer).value }) }
  })
  return { given: response, fails }
}

export function compileWrite({ id, set, ...does }: NonNullable<Route['write']>): CompiledWrite {
  const [[operation, collection]] = Object.entries(does) as [[CompiledWrite['does'], string]]
  const { value, readsBody } = compileValues({ id, set }, { hasVariables: true })
  return { collection, does: operation, value, readsBody }
}

function compilePaged(route: Route, paging: Paging, name: string): RouteResponse {
  const response = route.response as FixtureResponse
  const { value, readsBody: hasBodyValues } = compileValues({ response, items: paging.items })
  const readsBody = hasBodyValues || route.method?.some((method) => method !== 'GET') === true
  const listOf = (made: unknown) => {
    const { items, response } = made as { items: unknown[]; response: FixtureResponse }
    return createPagedList({ ...paging, items }, name, response)
  }
  if (!(value instanceof RequestValue)) return { kind: 'paged', list: listOf(value), readsBody }
  const listFor = (given: ValueSource) => {
    const made = value.make(given) as { items: unknown[]; response: FixtureResponse }
    return listOf({ ...made, response: withTexts(made.response) })
  }
  return { kind: 'paged', list: createPagedList(paging, name, response), listFor, readsBody }
}

function compileChanges({ patch = {}, ...others }: FixtureResponse): SingleResponse {
  const rest = compileValues(others)
  const values = Object.entries(patch).map(([path, value]) => [path, compileValues(value)] as const)
  const compiled = Object.fromEntries(values.map(([path, { value }]) => [path, value]))
  const changes = readChanges(compiled).filter((change) => 'parts' in change)
  return {
    kind: 'backend',
    patch: changes,
    readsBody: rest.readsBody || values.some(([, { readsBody }]) => readsBody),
    changesFor(given) {
      const { headers = {}, errors = [], ...answer } = makeResponse(rest.value, given)
      return { ...answer, headers, errors, patch: changes.map((change) => makeChange(change, given)) }
    },
  }
}

/** A change of many entries repeats its value. */
function makeChange(change: PatchEntry, given: ValueSource): PatchEntry {
  const { left } = given
  const value = makeValue(change.value, given)
  const size = left - given.left
  return { ...change, value, ...(size > 0 && { beforeEach: () => spend(given, size) }) }
}
