import {
  buildClientSchema,
  getIntrospectionQuery,
  Kind,
  KnownDirectivesRule,
  NoUndefinedVariablesRule,
  OperationTypeNode,
  specifiedRules,
  validate,
  visit,
  type DocumentNode,
  type GraphQLSchema,
  type IntrospectionQuery,
} from 'graphql/index.js'
export { buildSchema } from '../../core/graphql-schema/build-schema.ts'
import { isResult } from '../../core/graphql/result.ts'
import { forEachField, fragmentsOf, responseKey } from '../../core/graphql/selections.ts'
import type { Route } from '../../core/fixture/route.ts'
import { addTo } from '../../core/values/collections.ts'
import { quote } from '../../core/values/describe-value.ts'
import { attempt } from '../../core/values/thrown.ts'
import { isRecord, ownValue } from '../../core/values/values.ts'
import { valueOf, type Ask } from '../../backend/compare/ask/polite-client.ts'
import { placeOf, type DocumentOperation } from '../documents/read-documents.ts'
import { findAnswering, operationRequest, wantedNames } from './answering.ts'
import { bodiesOf, type FixtureBody } from '../../core/fixture/known-bodies.ts'
import { describeDifference, oneForEachCause } from '../../backend/compare/describe-difference.ts'
import type { FoundDifference } from '../../backend/compare/found.ts'
import { ResultCheck, type ResultProblem } from './check-result.ts'
import type { LocateInRoute } from '../../loader/locate.ts'
import { diagnoseCheck, type CheckFinding } from './texts.ts'
import { unseenChoices } from './unseen-choices.ts'

export interface GraphQLCheck {
  routes: readonly Route[]
  operations: readonly DocumentOperation[]
  schema: GraphQLSchema
  isServed: boolean
  isShaped: boolean
  locate: LocateInRoute
}

export async function checkGraphQL(
  check: GraphQLCheck,
): Promise<{ findings: CheckFinding[]; checked: Set<Route> }> {
  const { routes, operations, schema, locate } = check
  const findings = operations.flatMap((operation) => checkOperation(operation, schema))
  const answeredBy = new Map<Route, DocumentOperation[]>()
  for (const operation of operations) {
    if (assign(operation, routes, answeredBy)) continue
    const details = { operation: shown(operation) }
    findings.push(diagnoseCheck('check-operation-unanswered', operation.place, details))
  }
  const known = [...new Set(operations.flatMap(({ name }) => name ?? []))]
  const checked = new Set<Route>()
  for (const route of routes) {
    const wanted = operations.length > 0 && route.selector ? wantedNames(route.selector) : []
    for (const name of wanted.filter((name) => !known.includes(name)))
      findings.push(
        diagnoseCheck('check-operation-unknown', await locate(route, ['when', 'operationName']), {
          name,
          known,
        }),
      )
    findings.push(...(await checkLabels(route, answeredBy.get(route) ?? [], locate)))
    for (const body of bodiesOf(route)) {
      if (!isResult(body.value)) continue
      checked.add(route)
      findings.push(...(await checkBody(route, body, answeredBy.get(route) ?? [], check)))
    }
  }
  for (const { code, severity, message, fix, route, keys } of unseenInFixtures(answeredBy, schema))
    findings.push({ code, severity, message, fix, ...(await locate(route, keys)) })
  return { findings, checked }
}

/** Finds what the fixtures of an operation could answer as well, in the words of a comparison with a backend. */
function unseenInFixtures(
  answeredBy: ReadonlyMap<Route, DocumentOperation[]>,
  schema: GraphQLSchema,
): FoundDifference[] {
  const operations = new Set([...answeredBy.values()].flat())
  const found = [...operations].flatMap((operation) => {
    const routes = [...answeredBy].flatMap(([route, own]) => (own.includes(operation) ? route : []))
    const fixtures = routes.flatMap((route) =>
      route.isInvalid ? [] : bodiesOf(route).flatMap((body) => (isResult(body.value) ? { route, body } : [])),
    )
    const type = schema.getRootType(operation.node.operation)
    const [{ body: { status = 200 } = {} } = {}] = fixtures
    if (!type || fixtures.length === 0) return []
    const results = fixtures.map(({ body }) => (body.value as { data?: unknown }).data)
    const selected = { sets: [operation.node.selectionSet], fragments: fragmentsOf(operation.document) }
    const where = { fixtures, endpoint: shown(operation), status, document: 'the schema' }
    return unseenChoices(results, type, schema, selected).map((one) => describeDifference(one, where))
  })
  return oneForEachCause(found)
}

/** Labels of `incremental` that no operation of the route has. */
async function checkLabels(route: Route, operations: readonly DocumentOperation[], locate: LocateInRoute) {
  const { response, sequence } = route
  if (operations.length === 0) return []
  const known: string[] = []
  for (const { document } of operations)
    visit(document, {
      Directive({ name, arguments: args = [] }) {
        const label = args.find((one) => one.name.value === 'label')?.value
        const isOurs = name.value === 'defer' || name.value === 'stream'
        if (isOurs && label?.kind === Kind.STRING) known.push(label.value)
      },
    })
  // Relay's compiler writes the name of the fragment and a dollar sign in front.
  const isKnown = (label: string) => known.some((one) => label === one || label.endsWith(`$${one}`))
  const responses = sequence ? sequence.parts.map((part) => part.response) : [response]
  const findings = responses.flatMap((one, index) => {
    const labels = typeof one === 'function' ? [] : Object.keys(one.incremental?.labels ?? {})
    const path = ['response', ...(sequence ? [index] : []), 'incremental', 'labels']
    return labels
      .filter((label) => !isKnown(label))
      .map(async (label) =>
        diagnoseCheck('check-label-unknown', await locate(route, [...path, label]), { label, known }),
      )
  })
  return Promise.all(findings)
}

/** Unknown directives are no error: a client library or a compiler may know them. */
function checkOperation(operation: DocumentOperation, schema: GraphQLSchema): CheckFinding[] {
  const document = withoutClientFields(operation.document)
  const hasArguments = document.definitions.some(
    (node) =>
      'directives' in node && node.directives?.some(({ name }) => name.value === 'argumentDefinitions'),
  )
  const left = [KnownDirectivesRule, ...(hasArguments ? [NoUndefinedVariablesRule] : [])]
  const rules = specifiedRules.filter((rule) => !left.includes(rule))
  return validate(schema, document, rules).map(({ message: reason, nodes }) => {
    const place = nodes?.[0]?.loc ? placeOf(nodes[0]) : operation.place
    return diagnoseCheck('check-operation-invalid', place, { operation: shown(operation), reason })
  })
}

/** Fields with `@client` are never sent: Apollo Client resolves them itself. */
function withoutClientFields(document: DocumentNode): DocumentNode {
  return visit(document, {
    Field: ({ directives = [] }) =>
      directives.some(({ name }) => name.value === 'client') ? null : undefined,
  })
}

/** @returns whether a route answers the operation */
function assign(
  operation: DocumentOperation,
  routes: readonly Route[],
  answeredBy: Map<Route, DocumentOperation[]>,
) {
  let isAnswered = false
  for (const path of new Set(routes.map((route) => route.path))) {
    const endpoint = routes.filter((route) => route.path === path)
    for (const { route, isNamed } of findAnswering(endpoint, operationRequest(operation, path))) {
      // A default route that has nothing of what an operation selects is not meant for it.
      if (!isNamed && !hasAnyField(route, operation)) continue
      isAnswered = true
      addTo(answeredBy, route, operation)
    }
  }
  return isAnswered
}

function hasAnyField(route: Route, { document, node }: DocumentOperation): boolean {
  const roots = new Set<string>()
  const context = { fragments: fragmentsOf(document), variables: undefined }
  forEachField([node.selectionSet], context, (field) => roots.add(field.name.value).add(responseKey(field)))
  const bodies = bodiesOf(route)
  if (bodies.length === 0) return true // what a function returns is unknown
  return bodies.some(({ value }) => {
    if (!isResult(value)) return false
    return !isRecord(value.data) || Object.keys(value.data).some((key) => roots.has(key))
  })
}

async function checkBody(
  route: Route,
  { value, keyOf, isOpen }: FixtureBody,
  operations: readonly DocumentOperation[],
  { schema, isServed, isShaped, locate }: GraphQLCheck,
): Promise<CheckFinding[]> {
  const { data } = value as { data?: unknown }
  if (data === undefined || data === null) return []
  const context = { schema, isServed, isShaped: route.shape ?? isShaped }
  const results: Result[] = operations.flatMap((operation) => {
    const type = schema.getRootType(operation.node.operation)
    if (!type) return []
    const document = withoutClientFields(operation.document)
    const sent = document.definitions.find((one) => one.kind === Kind.OPERATION_DEFINITION)!
    const own = { ...context, fragments: fragmentsOf(document), operation: shown(operation) }
    return { operation, problems: new ResultCheck(own).checkObject(data, type, [sent.selectionSet], []) }
  })
  if (results.length === 0) {
    const type = rootTypeOf(route, data, schema)
    const alone = { ...context, fragments: new Map(), operation: '' }
    results.push({
      operation: undefined,
      problems: type ? new ResultCheck(alone).checkObject(data, type, undefined, []) : [],
    })
  }
  const certain = merge(results).filter(({ problem }) => !isOpen(['data', ...problem.path]))
  const findings = certain.map(async ({ problem: { path, text }, operation }) => ({
    ...text,
    ...(await locate(
      route,
      keyOf(['data', ...(text.code === 'check-missing-field' ? path.slice(0, -1) : path)]),
    )),
    ...(operation && { operation: { ...operation.place, name: operation.name } }),
  }))
  return Promise.all(findings)
}

interface Result {
  operation: DocumentOperation | undefined
  problems: readonly ResultProblem[]
}

/** Each problem once. A field that one operation knows by its alias is not unknown. */
function merge(
  results: readonly Result[],
): { problem: ResultProblem; operation: DocumentOperation | undefined }[] {
  const found = new Map<
    string,
    { problem: ResultProblem; operation: DocumentOperation | undefined; count: number }
  >()
  for (const { operation, problems } of results)
    for (const problem of problems) {
      const isMissing = problem.text.code === 'check-missing-field'
      const key = JSON.stringify([problem.text.code, problem.path, isMissing || problem.text.message])
      const known = found.get(key)
      if (known) known.count++
      else found.set(key, { problem, operation, count: 1 })
    }
  return [...found.values()].filter(
    ({ problem, count }) => problem.text.code !== 'check-unknown-field' || count === results.length,
  )
}

/** The root type of a route without an operation: that of its selector, else the one whose fields the data has. */
function rootTypeOf({ selector }: Route, data: unknown, schema: GraphQLSchema) {
  const wanted = selector?.equalities.find(({ field }) => field.source === 'operationType')?.value
  const named = Object.values(OperationTypeNode).find((type) => type === wanted)
  if (named) return schema.getRootType(named) ?? undefined
  const keys = isRecord(data) ? Object.keys(data) : []
  const types = Object.values(OperationTypeNode).flatMap((type) => schema.getRootType(type) ?? [])
  return types.find((type) => keys.some((key) => Object.hasOwn(type.getFields(), key))) ?? types[0]
}

function shown({ node, name }: DocumentOperation): string {
  return name === undefined ? `A ${node.operation} without a name` : `The ${node.operation} ${quote(name)}`
}

/** The schema that a backend shows of itself; nothing where it does not, or has too much. */
export async function introspect(
  url: string,
  headers: Readonly<Record<string, string>>,
  ask: Ask,
): Promise<GraphQLSchema | undefined> {
  const body = { query: getIntrospectionQuery({ descriptions: false }) }
  const answer = await ask({ method: 'POST', url, headers, body })
  const data = 'failed' in answer ? undefined : ownValue(valueOf(answer)?.value, 'data')
  return attempt(() => buildClientSchema(data as IntrospectionQuery))
}
