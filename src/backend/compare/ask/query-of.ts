import type { DocumentNode, FieldNode, SelectionSetNode } from 'graphql'
import { OperationTypeNode } from 'graphql/language/ast.js'
import { Kind } from 'graphql/language/kinds.js'
import { isRecord } from '../../../core/values/values.ts'

/** The query that has all fields of a result: the documents of the application are not known. Arguments are left out. */
export function queryOf(name: string | undefined, data: unknown): DocumentNode | undefined {
  const selectionSet = selectionOf([data])
  if (!selectionSet) return undefined
  return {
    kind: Kind.DOCUMENT,
    definitions: [
      {
        kind: Kind.OPERATION_DEFINITION,
        operation: OperationTypeNode.QUERY,
        ...(name !== undefined && { name: nameNode(name) }),
        selectionSet,
      },
    ],
  }
}

/** Fields of several objects: of one type, or by their `__typename`. */
function selectionOf(values: readonly unknown[]): SelectionSetNode | undefined {
  const objects = values.flat(Infinity).filter(isRecord)
  if (objects.length === 0) return undefined
  const types = new Set(objects.map((one) => one['__typename']))
  if (types.size < 2 || types.has(undefined))
    return { kind: Kind.SELECTION_SET, selections: fieldsOf(objects) }
  const fragments = [...types].map((type) => ({
    kind: Kind.INLINE_FRAGMENT as const,
    typeCondition: { kind: Kind.NAMED_TYPE as const, name: nameNode(String(type)) },
    selectionSet: {
      kind: Kind.SELECTION_SET as const,
      selections: fieldsOf(objects.filter((one) => one['__typename'] === type)),
    },
  }))
  return { kind: Kind.SELECTION_SET, selections: fragments }
}

function fieldsOf(objects: readonly Record<string, unknown>[]): FieldNode[] {
  const names = new Set(
    objects.flatMap((one) => Object.keys(one)).filter((name) => /^[A-Za-z_]\w*$/.test(name)),
  )
  return [...names].map((name) => {
    const selectionSet = selectionOf(objects.map((one) => one[name]))
    return { kind: Kind.FIELD, name: nameNode(name), ...(selectionSet && { selectionSet }) }
  })
}

function nameNode(value: string) {
  return { kind: Kind.NAME as const, value }
}
