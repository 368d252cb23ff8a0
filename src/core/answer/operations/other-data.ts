import type { OperationDefinitionNode } from 'graphql'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { diagnoseGraphQL } from '../../diagnostics/graphql-texts.ts'
import type { GraphQLParams } from '../../graphql/params.ts'
import { successIn } from '../../graphql/result.ts'
import { fieldsByKey } from '../../graphql/selections.ts'
import type { CompiledRoute } from '../../table/route-table.ts'
import { getOrMake } from '../../values/collections.ts'
import { isRecord } from '../../values/values.ts'

const maxListed = 10
const known = new WeakMap<OperationDefinitionNode, WeakMap<CompiledRoute, { diagnostic?: Diagnostic }>>()

/** Tells of an answer that has data, and none of what the operation selects: a default route answers all operations. */
export function findOtherData(route: CompiledRoute, params: GraphQLParams): Diagnostic | undefined {
  const { operation } = params
  if (!operation) return undefined
  const byRoute = getOrMake(known, operation, () => new WeakMap())
  return getOrMake(byRoute, route, () => compare(route, operation, params)).diagnostic
}

function compare(
  { response, name, source }: CompiledRoute,
  operation: OperationDefinitionNode,
  { document }: GraphQLParams,
): { diagnostic?: Diagnostic } {
  const body = response.kind === 'static' ? successIn(response.prepared) : undefined
  const { data } = response.kind === 'result' ? response.definition.body : isRecord(body) ? body : {}
  if (!isRecord(data) || Object.keys(data).length === 0) return {}
  const { fragments } = document!
  const asked = [...fieldsByKey([operation.selectionSet], { fragments, variables: undefined })]
  const fields = asked.flatMap(([key, [first]]) => (first!.name.value.startsWith('__') ? [] : key))
  if (fields.length === 0 || fields.some((key) => Object.hasOwn(data, key))) return {}
  const what = ['the', operation.operation, operation.name?.value].filter(Boolean).join(' ')
  const details = { name, operation: what, fields: fields.slice(0, maxListed) }
  return { diagnostic: diagnoseGraphQL('graphql-other-data', source, details) }
}
