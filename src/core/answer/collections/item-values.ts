import { findItems } from '../../collection/find-items.ts'
import type { Write, WriteOutcome } from '../../collection/items.ts'
import type { FormattedError } from '../../graphql/formatted-error.ts'
import { isFitted } from '../../graphql/result.ts'
import { connectionType } from '../../paginate/envelope.ts'
import { lenientPaging } from '../../paginate/page-styles.ts'
import { createPagedList } from '../../paginate/paginate.ts'
import { makeValue } from '../../request-values/compile-values.ts'
import type { ValueSource, GivenItems } from '../../request-values/read-value.ts'
import type { FixtureResponse } from '../../schema/schema.ts'
import type { CompiledWrite } from '../../table/route-table.ts'
import { idText } from '../../values/exact-number.ts'
import { defined, isRecord } from '../../values/values.ts'
import type { Answering, Asked } from '../decision.ts'
import { describeRefusal, openCollections, whereQuery } from './open-collections.ts'

/* The values `$item` and `$list` of a response, and the key `write` of a route. */

export interface RouteWrite {
  collection: string
  written: WriteOutcome
  /** Why nothing was written. */
  problem?: string
}

export function writeBefore(
  asked: Asked,
  { collection: name, does, value }: CompiledWrite,
  given: ValueSource,
): RouteWrite {
  const open = openCollections(asked)
  const { id, set: made } = makeValue(value, given) as { id: unknown; set: unknown }
  // Without the keys whose variable is not given.
  const set = isRecord(made) ? defined(made) : (made ?? {})
  const collection = open.find(name)
  if (!collection)
    return { collection: name, written: { refused: 'unknown' }, problem: unknownCollection(name) }
  const change: Write =
    does === 'create'
      ? { create: id === undefined || id === null || !isRecord(set) ? set : { ...set, [collection.id]: id } }
      : does === 'delete'
        ? { delete: id }
        : does === 'update'
          ? { update: id, with: set }
          : { replace: id, with: set }
  const written = open.write(collection, change)
  if (!('refused' in written)) return { collection: name, written }
  return { collection: name, written, problem: describeRefusal(written, collection) }
}

function unknownCollection(name: string): string {
  return `there is no collection ${JSON.stringify(name)} here`
}

/** @param errors gets what is unknown, with its path below `data` */
export function itemsFor(
  asked: Answering,
  write: RouteWrite | undefined,
  errors: FormattedError[],
): GivenItems {
  const { endpoint, request, route } = asked
  const open = openCollections(asked)
  const isCut = request.graphql?.operation !== undefined && isFitted(endpoint.graphql, route.shape)
  const fail = (problem: string, path: readonly (string | number)[]) => {
    const [body, data, ...below] = path
    const isInData = body === 'body' && data === 'data'
    errors.push({ message: sentence(problem), ...(isInData && { path: below }) })
    return null
  }
  return {
    item(name, asked, path) {
      const collection = open.find(name)
      if (!collection) return fail(unknownCollection(name), path)
      const written = write?.collection === name ? write.written : undefined
      const id = asked && idText(asked.id)
      if (written && 'item' in written && (!asked || written.id === id)) return written.item
      if (write?.problem !== undefined && !asked) return fail(write.problem, path)
      const found = id === undefined ? undefined : open.read(collection).byId.get(id)
      return found ?? fail(write?.problem ?? describeRefusal({ refused: 'unknown', id }, collection), path)
    },
    list(name, { where, sort, connection }, path) {
      const collection = open.find(name)
      if (!collection) return fail(unknownCollection(name), path)
      const items = findItems(open.read(collection).byId.values(), whereQuery(where, sort))
      if (!connection) return items
      const { perPage, maxPerPage } = collection.paging ?? { perPage: 20, maxPerPage: 100 }
      const field = path.slice(2).map(String)
      // Also for a list without items.
      const typeName = typeof connection === 'string' ? connection : connectionType(collection.items)
      const paging = {
        ...lenientPaging,
        style: 'relay',
        items,
        perPage,
        maxPerPage,
        field,
        typeName,
      } as const
      return createPagedList(paging, name).connectionFor(request, isCut)
    },
  }
}

/** The error of a write whose result no value of the response shows. */
export function errorOf({ problem = '' }: RouteWrite): FormattedError {
  return { message: sentence(problem) }
}

function sentence(problem: string): string {
  return `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`
}

export function withErrors(response: FixtureResponse, errors: readonly FormattedError[]): FixtureResponse {
  const { body } = response
  if (errors.length === 0 || !isRecord(body)) return response
  const own = Array.isArray(body['errors']) ? (body['errors'] as unknown[]) : []
  return { ...response, body: { ...body, errors: [...own, ...errors] } }
}
