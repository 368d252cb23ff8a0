import {
  isAbstractType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql/index.js'
import {
  fieldsByKey,
  forEachField,
  responseKey,
  subselections,
  type Fragments,
} from '../../core/graphql/selections.ts'
import { describeValue } from '../../core/values/describe-value.ts'
import { nearestName } from '../../core/values/spelling.ts'
import { isRecord, type KeyPath } from '../../core/values/values.ts'
import { diagnoseCheck, type Finding } from './texts.ts'

/** Something wrong in `data`; its path has response keys and indices. */
export interface Problem {
  path: KeyPath
  text: Pick<Finding, 'code' | 'severity' | 'message' | 'fix'>
}

export interface ResultContext {
  schema: GraphQLSchema
  fragments: Fragments
  operation: string
  /** The dev server shapes the data: keys may be names of fields. */
  isShaped: boolean
  /** The dev server has the schema: it fills in what is missing, and converts values. */
  isServed: boolean
}

/** Optional: `@skip`, `@include` or `@defer` may leave it out. */
interface Selected {
  nodes: FieldNode[]
  isOptional: boolean
}

/** @param sets `undefined` without an operation; keys are names of fields then */
export function checkResult(
  data: unknown,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[] | undefined,
  context: ResultContext,
): Problem[] {
  return checkObject(data, type, sets, [], context)
}

function checkValue(
  value: unknown,
  type: GraphQLOutputType,
  nodes: readonly FieldNode[] | undefined,
  path: KeyPath,
  context: ResultContext,
): Problem[] {
  if (isNonNullType(type)) {
    return value === null
      ? [invalid(value, type, path)]
      : checkValue(value, type.ofType, nodes, path, context)
  }
  if (value === null) return []
  if (isListType(type)) {
    if (!Array.isArray(value)) return [invalid(value, type, path)]
    return value.flatMap((item, index) => checkValue(item, type.ofType, nodes, [...path, index], context))
  }
  if (isLeafType(type)) return isLeafValue(value, type, context) ? [] : [invalidLeaf(value, type, path)]
  return checkObject(value, type, nodes && subselections(nodes), path, context)
}

function checkObject(
  value: unknown,
  type: GraphQLCompositeType,
  sets: readonly SelectionSetNode[] | undefined,
  path: KeyPath,
  context: ResultContext,
): Problem[] {
  if (!isRecord(value) || Array.isArray(value)) return [invalid(value, type, path)]
  if (!isAbstractType(type)) return checkFields(value, type, sets, path, context)
  const possible = context.schema.getPossibleTypes(type)
  const names = possible.map(({ name }) => name)
  const keys = sets ? typenameKeys(sets, context) : ['__typename']
  const named = keys.map((key) => value[key]).find((name) => name !== undefined)
  if (typeof named === 'string') {
    const one = possible.find(({ name }) => name === named)
    if (one) return checkFields(value, one, sets, path, context)
    const key = keys.find((key) => value[key] === named)!
    const impossible = { type: type.name, value: named, known: names }
    // A misspelt type: the other fields are compared with the one that is meant.
    const meant = possible.find(({ name }) => name === nearestName(named, names))
    const others = meant ? checkFields(value, meant, sets, path, context) : []
    const isOwnTypename = ({ path: { length }, text: { code } }: Problem) =>
      code === 'check-invalid-typename' && length === path.length + 1
    return [
      { path: [...path, key], text: diagnoseCheck('check-invalid-typename', {}, impossible) },
      ...others.filter((other) => !isOwnTypename(other)),
    ]
  }
  // The type with the fewest problems is meant.
  let best: Problem[] | undefined
  for (const one of possible) {
    const problems = checkFields(value, one, sets, path, context)
    if (!best || problems.length < best.length) best = problems
    if (best.length === 0) break
  }
  return best ?? []
}

function checkFields(
  value: Readonly<Record<string, unknown>>,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[] | undefined,
  path: KeyPath,
  context: ResultContext,
): Problem[] {
  const fields = type.getFields()
  const problems: Problem[] = []
  const checked = new Set<string>(['__typename'])
  const selected = sets ? collectFields(sets, type, context) : new Map<string, Selected>()
  for (const [key, { nodes, isOptional }] of selected) {
    const name = nodes[0]!.name.value
    const field = fields[name]
    const own = valueKey(value, key, name, context)
    if (own === undefined) {
      const isFilled = context.isServed || (name === '__typename' && context.isShaped)
      if (isOptional || isFilled || (!field && name !== '__typename')) continue
      const missing = { operation: context.operation, field: key, type: String(field?.type ?? 'String!') }
      problems.push({ path: [...path, key], text: diagnoseCheck('check-missing-field', {}, missing) })
      continue
    }
    checked.add(own).add(key)
    if (field) problems.push(...checkValue(value[own], field.type, nodes, [...path, own], context))
    else if (name === '__typename' && value[own] !== type.name) {
      const impossible = { type: type.name, value: String(value[own]), known: [type.name] }
      problems.push({ path: [...path, own], text: diagnoseCheck('check-invalid-typename', {}, impossible) })
    }
  }
  for (const key of Object.keys(value)) {
    if (checked.has(key)) continue
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined
    // Another operation may select it.
    if (field) problems.push(...checkValue(value[key], field.type, undefined, [...path, key], context))
    else {
      const known = [...new Set([...selected.keys(), ...Object.keys(fields)])]
      const unknown = { type: type.name, field: key, known, mayBeAlias: sets === undefined }
      problems.push({ path: [...path, key], text: diagnoseCheck('check-unknown-field', {}, unknown) })
    }
  }
  return problems
}

function valueKey(
  value: Readonly<Record<string, unknown>>,
  key: string,
  fieldName: string,
  { isShaped, isServed }: ResultContext,
): string | undefined {
  // The order in which the server looks for them.
  const candidates = isShaped || isServed ? [fieldName, key] : [key]
  return candidates.find((candidate) => Object.hasOwn(value, candidate) && value[candidate] !== undefined)
}

function collectFields(
  sets: readonly SelectionSetNode[],
  type: GraphQLObjectType,
  { schema, fragments }: ResultContext,
): Map<string, Selected> {
  const mayBe = (name: string) => {
    const on = schema.getType(name)
    return on === type || (isAbstractType(on) && schema.isSubType(on, type))
  }
  const context = { fragments, variables: undefined, mayBe }
  const sure = fieldsByKey(sets, { ...context, onlySure: true })
  const all = [...fieldsByKey(sets, context)]
  return new Map(all.map(([key, nodes]) => [key, { nodes, isOptional: !sure.has(key) }]))
}

function typenameKeys(sets: readonly SelectionSetNode[], { fragments }: ResultContext): string[] {
  const keys = new Set(['__typename'])
  forEachField(sets, { fragments, variables: undefined }, (field) => {
    if (field.name.value === '__typename') keys.add(responseKey(field))
  })
  return [...keys]
}

/** A server with the schema converts values: `'1'` becomes an `Int`. */
function isLeafValue(value: unknown, type: GraphQLLeafType, { isServed }: ResultContext): boolean {
  if (isEnumType(type)) return typeof value === 'string' && type.getValue(value) != null
  const check = sentValues[type.name]
  if (!check) return true
  if (!isServed) return check(value)
  try {
    type.serialize(value)
    return true
  } catch {
    return false
  }
}

const sentValues: Record<string, ((value: unknown) => boolean) | undefined> = {
  Int: (value) => Number.isInteger(value) && Math.abs(value as number) <= 2_147_483_648,
  Float: (value) => typeof value === 'number',
  String: (value) => typeof value === 'string',
  Boolean: (value) => typeof value === 'boolean',
  ID: (value) => typeof value === 'string',
}

function invalidLeaf(value: unknown, type: GraphQLLeafType, path: KeyPath): Problem {
  if (!isEnumType(type) || typeof value !== 'string') return invalid(value, type, path)
  const known = type.getValues().map(({ name }) => name)
  const details = { field: fieldName(path), type: type.name, value, known }
  return { path, text: diagnoseCheck('check-invalid-enum', {}, details) }
}

function invalid(value: unknown, type: GraphQLOutputType, path: KeyPath): Problem {
  const details = { field: fieldName(path), type: String(type), received: describeValue(value) }
  return { path, text: diagnoseCheck('check-invalid-value', {}, details) }
}

function fieldName(path: KeyPath): string {
  return path.filter((key) => typeof key === 'string').join('.') || 'data'
}
