import type { FixtureBody } from '../../core/fixture/known-bodies.ts'
import type { Route } from '../../core/fixture/route.ts'
import { compareShapes } from '../../core/shape/compare-shapes.ts'
import { withoutParameters } from '../../core/http/body.ts'
import { listSome } from '../../core/diagnostics/text.ts'
import { groupBy } from '../../core/values/collections.ts'
import { quote } from '../../core/values/describe-value.ts'
import { isRecord, ownValue, type KeyPath } from '../../core/values/values.ts'
import { describeDifference, oneForEachCause } from '../../backend/compare/describe-difference.ts'
import { shapeOfFixtures } from '../../backend/compare/find-differences.ts'
import { foundAt, type RouteDifference, type FoundDifference } from '../../backend/compare/found.ts'
import { ownContentType, unimportant } from '../../backend/compare/head-differences.ts'
import { jsonMedia, type ApiOperation, type Documents, type DocumentPart } from '../../openapi/documents.ts'
import { shapeOfSchema } from '../../openapi/shape-of-schema.ts'

/** The fixtures of one operation of a document. */
export interface DocumentedRoutes {
  operation: ApiOperation
  routes: Route[]
  bodies: { route: Route; body: FixtureBody; response: DocumentPart | undefined }[]
}

/**
 * What a document says that no fixture has, and the other way round. Wrong values are found by its schemas: here is what a
 * schema allows.
 */
export function documentDifferences(
  all: Iterable<DocumentedRoutes>,
  routes: readonly Route[],
  { document, documents, file }: { document: DocumentPart; documents: Documents; file: string },
): FoundDifference[] {
  const knowsSignIn = routes.some(({ response }) => typeof response !== 'function' && response.status === 401)
  const found = [...all].flatMap((one) => {
    const security = one.operation.operation['security'] ?? ownValue(document.value, 'security')
    const needsSignIn =
      Array.isArray(security) &&
      security.length > 0 &&
      security.every((way) => Object.keys(way as object).length > 0)
    return [
      ...(needsSignIn && !knowsSignIn ? signIn(one) : []),
      ...unknownParameters(one),
      ...one.bodies.flatMap(({ route, response }) =>
        response ? headDifferencesOf(route, response, one) : [],
      ),
      ...bodyDifferences(one),
    ]
  })
  return oneForEachCause(found)

  function placeAt({ operation: { endpoint } }: DocumentedRoutes, route: Route, keys: KeyPath) {
    return { route, keys, sent: [], endpoint }
  }

  function signIn(one: DocumentedRoutes): RouteDifference[] {
    const details = { endpoint: one.operation.endpoint, hasSignIn: true, document: file }
    return one.routes
      .slice(0, 1)
      .map((route) => foundAt(placeAt(one, route, ['path']), 'against-needs-sign-in', details))
  }

  function unknownParameters(one: DocumentedRoutes): RouteDifference[] {
    const parameters = one.operation.parameters.map(({ value }) => value)
    const known = parameters.filter((each) => each['in'] === 'query').map((each) => String(each['name']))
    const isKnown = (name: string) =>
      known.some((each) => each === name || each.split('[', 1)[0] === name || name.startsWith(`${each}[`)) ||
      Object.hasOwn(one.operation.when.query, name)
    return one.routes.flatMap((route) => {
      const fields = [...(route.selector?.equalities ?? []), ...(route.selector?.tests ?? [])]
      const names = fields.flatMap(({ field }) => (field?.source === 'query' && field.path[0]) || [])
      return [...new Set(names)]
        .filter((name) => !isKnown(name))
        .map((name) => {
          const place = placeAt(one, route, ['when', 'query', name])
          return foundAt(place, 'against-parameter-unknown', { name, known, document: file })
        })
    })
  }

  function headDifferencesOf(
    route: Route,
    { value, file: of }: DocumentPart,
    one: DocumentedRoutes,
  ): RouteDifference[] {
    const { content, headers } = isRecord(value) ? value : {}
    const response = placeAt(one, route, ['response'])
    const found: RouteDifference[] = []
    const types = Object.keys(isRecord(content) ? content : {}).map(withoutParameters)
    const own = ownContentType(route)
    const fits = (type: string) => type === own || (type.endsWith('/*') && own?.startsWith(type.slice(0, -1)))
    if (own !== undefined && types.length > 0 && !types.includes('*/*') && !types.some(fits)) {
      const { endpoint } = one.operation
      const details = { endpoint, ours: own, theirs: types.join(' or '), document: file }
      found.push(foundAt(response, 'against-content-type', details))
    }
    if (!isRecord(headers) || typeof route.response === 'function') return found
    const known = new Map(Object.entries(headers).map(([name, header]) => [name.toLowerCase(), header]))
    const set = Object.keys(route.response.headers ?? {}).map((name) => name.toLowerCase())
    const isRequired = (header: unknown) =>
      ownValue(documents.resolve({ value: header, file: of }).value, 'required') === true
    const missing = [...known].flatMap(([name, header]) =>
      isRequired(header) && !set.includes(name) ? name : [],
    )
    for (const name of set.filter((one) => !known.has(one) && !unimportant.test(one)))
      found.push(
        foundAt({ ...response, keys: ['response', 'headers'] }, 'against-header-gone', {
          name,
          document: file,
        }),
      )
    for (const name of missing.filter((one) => !unimportant.test(one)))
      found.push(foundAt(response, 'against-header-new', { name, document: file }))
    return found
  }

  function bodyDifferences({ operation: { endpoint }, bodies }: DocumentedRoutes): RouteDifference[] {
    const groups = groupBy(bodies, ({ response }) => response?.value)
    return [...groups].flatMap(([, group]) => {
      const [
        {
          response,
          body: { status },
        },
      ] = group as [DocumentedRoutes['bodies'][number]]
      const media = response && jsonMedia(response.value)?.[1]
      const { value, file: place } = documents.resolve({ value: media, file: response?.file ?? '' })
      const schema = ownValue(value, 'schema')
      if (schema === undefined) return []
      const { shape, decidesKeys } = shapeOfSchema({ value: schema, file: place }, documents)
      const found = compareShapes(shapeOfFixtures(group), shape)
        .differences.filter(
          ({ kind, path }) =>
            /^(?:null|word|member)$/.test(kind) || (kind === 'key-gone' && !decidesKeys(path.slice(0, -1))),
        )
        .map((one) => describeDifference(one, { fixtures: group, endpoint, status, document: file }))
      const [first, ...nulls] = found.filter(({ code }) => code === 'against-null')
      if (nulls.length === 0) return found
      const names = listSome([first!, ...nulls].map(({ key = '' }) => quote(key)))
      const message = `${names} may be null in ${file}. No fixture has null there.` // documents allow null in many places
      const others = found.filter(({ code }) => code !== 'against-null')
      return [...others, { ...first!, message, cause: message }]
    })
  }
}
