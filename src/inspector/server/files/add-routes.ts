import { isMap, isSeq } from 'yaml'
import type { CompiledRoute } from '../../../core/table/route-table.ts'
import { isRecord, keysOfPointer } from '../../../core/values/values.ts'
import { reasonOf } from '../../../core/values/thrown.ts'
import { withPlainEnds } from '../../../files/text-file.ts'
import type { FixtureState } from '../../../loader/fixture-state.ts'
import { writeYaml } from '../../../writer/write-yaml.ts'
import { FixtureText, UneditableError } from '../../../writer/fixture-text.ts'
import type { InspectedServer } from '../context.ts'
import { invalidFixture, readEdited, withRoutes, type Proposed } from './edit-file.ts'
import { HttpError } from '../json.ts'

/**
 * The file with these routes at its end; those that it has already are replaced where they stand.
 *
 * @param given a YAML list of routes
 * @throws HttpError, UneditableError
 */
export async function addRoutes(
  server: InspectedServer,
  file: string,
  given: string,
  replace = false,
): Promise<Proposed> {
  const routes = withPlainEnds(given)
  const before = readEdited(server, file)
  const { path, text, isJson } = before
  const ids = await idsOf(server, path, file, isJson ? JSON.stringify(definitionsIn(routes)) : routes)
  const definitions = definitionsIn(routes)
  const own = routesOf(server.store.current!, file)
  const added: object[] = []
  let edited = text
  for (const [index, definition] of definitions.entries()) {
    const old = own.find((route) => ids[index]?.includes(route.id))
    if (!old) {
      added.push(definition)
      continue
    }
    const { source, id } = old
    if (!replace)
      throw new HttpError(409, 'api-route-exists', {
        message: `The route "${id}" exists already, at ${source.file}:${source.line}.`,
        fix: 'Give the new one another name or selector, or replace: true.',
      })
    edited = new FixtureText(edited, isJson).withReplaced(keysOfPointer(source.pointer ?? ''), definition)
  }
  if (added.length > 0) {
    const yaml =
      added.length === definitions.length && /^(?:#.*\n|\s*\n)*- /.test(routes) ? routes : writeYaml(added)
    edited = withRoutes({ ...before, text: edited }, added, yaml)
  }
  return { file, text: edited, notes: [] }
}

/** The ids that the routes will have, by their place in the list. Throws an `HttpError` for routes with an error. */
async function idsOf({ store, options }: InspectedServer, path: string, file: string, routes: string) {
  const state = await store.check(path, routes)
  const wrong = state.diagnostics.find((one) => one.file === file && one.severity === 'error')
  if (wrong) throw invalidFixture(wrong, options.root, '"routes"')
  const ids: string[][] = []
  for (const { id, source } of routesOf(state, file)) {
    const index = Number(keysOfPointer(source.pointer ?? '').at(-1))
    if (Number.isInteger(index)) (ids[index] ??= []).push(id)
  }
  return ids
}

function routesOf({ table }: FixtureState, file: string): CompiledRoute[] {
  return table.endpoints.flatMap(({ routes }) => routes.filter(({ source }) => source.file === file))
}

/** @throws UneditableError */
function definitionsIn(routes: string): object[] {
  const { document } = new FixtureText(routes)
  const { contents } = document
  const list = isMap(contents) ? contents.get('routes', true) : contents
  try {
    const values = isSeq(list) ? (list.toJS(document) as unknown[]) : []
    if (values.length > 0 && values.every(isRecord)) return values
  } catch (error) {
    throw new UneditableError(reasonOf(error))
  }
  throw new UneditableError('"routes" is not a list of routes')
}
