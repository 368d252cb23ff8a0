import { isRecord } from '../../../core/values/values.ts'

/** The query that has all fields of a result: the documents of the application are not known. Arguments are left out. */
export function queryOf(name: string | undefined, data: unknown): string | undefined {
  const selection = selectionOf([data])
  return selection && `query ${name ?? ''} ${selection}`
}

/** Fields of several objects: of one type, or by their `__typename`. */
function selectionOf(values: readonly unknown[]): string | undefined {
  const objects = values.flat(Infinity).filter(isRecord)
  const types = [...new Set(objects.map((one) => one['__typename']))]
  if (types.length < 2 || types.includes(undefined)) return fieldsOf(objects)
  const fragments = types.map(
    (type) => `... on ${String(type)} ${fieldsOf(objects.filter((one) => one['__typename'] === type))}`,
  )
  return `{ ${fragments.join(' ')} }`
}

function fieldsOf(objects: readonly Record<string, unknown>[]): string | undefined {
  const names = new Set(
    objects.flatMap((one) => Object.keys(one)).filter((name) => /^[A-Za-z_]\w*$/.test(name)),
  )
  const fields = [...names].map((name) => `${name} ${selectionOf(objects.map((one) => one[name])) ?? ''}`)
  return fields.length > 0 ? `{ ${fields.join(' ')} }` : undefined
}
