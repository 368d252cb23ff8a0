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
import { diagnoseCheck, type CheckFinding } from './texts.ts'

/** Something wrong in `data`; its path has response keys and indices. */
export interface ResultProblem {
  path: KeyPath
  text: Pick<CheckFinding, 'code' | 'severity' | 'message' | 'fix'>
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

type Sets = readonly SelectionSetNode[] | undefined
type Nodes = readonly FieldNode[] | undefined
type Fields = Readonly<Record<string, unknown>>

/** Checks results of one operation; without one, there are no selections, and keys are names of fields. */
export class ResultCheck {
  constructor(readonly context: ResultContext) {}

  #checkValue(value: unknown, type: GraphQLOutputType, nodes: Nodes, path: KeyPath): ResultProblem[] {
    if (isNonNullType(type))
      return value === null ? [invalid(value, type, path)] : this.#checkValue(value, type.ofType, nodes, path)
    if (value === null) return []
    if (isListType(type)) {
      if (!Array.isArray(value)) return [invalid(value, type, path)]
      return value.flatMap((item, index) => this.#checkValue(item, type.ofType, nodes, [...path, index]))
    }
    if (isLeafType(type)) return this.#isLeafValue(value, type) ? [] : [invalidLeaf(value, type, path)]
    return this.checkObject(value, type, nodes && subselections(nodes), path)
  }

  checkObject(value: unknown, type: GraphQLCompositeType, sets: Sets, path: KeyPath): ResultProblem[] {
    if (!isRecord(value) || Array.isArray(value)) return [invalid(value, type, path)]
    if (!isAbstractType(type)) return this.#checkFields(value, type, sets, path)
    const possible = this.context.schema.getPossibleTypes(type)
    const names = possible.map(({ name }) => name)
    const keys = sets ? this.#typenameKeys(sets) : ['__typename']
    const named = keys.map((key) => value[key]).find((name) => name !== undefined)
    if (typeof named === 'string') {
      const one = possible.find(({ name }) => name === named)
      if (one) return this.#checkFields(value, one, sets, path)
      const key = keys.find((key) => value[key] === named)!
      const impossible = { type: type.name, value: named, known: names }
      // A misspelt type: the other fields are compared with the one that is meant.
      const meant = possible.find(({ name }) => name === nearestName(named, names))
      const others = meant ? this.#checkFields(value, meant, sets, path) : []
      const isOwnTypename = ({ path: { length }, text: { code } }: ResultProblem) =>
        code === 'check-invalid-typename' && length === path.length + 1
      return [
        { path: [...path, key], text: diagnoseCheck('check-invalid-typename', {}, impossible) },
        ...others.filter((other) => !isOwnTypename(other)),
      ]
    }
    // The type with the fewest problems is meant.
    let best: ResultProblem[] | undefined
    for (const one of possible) {
      const problems = this.#checkFields(value, one, sets, path)
      if (!best || problems.length < best.length) best = problems
      if (best.length === 0) break
    }
    return best ?? []
  }

  #checkFields(value: Fields, type: GraphQLObjectType, sets: Sets, path: KeyPath): ResultProblem[] {
    const fields = type.getFields()
    const problems: ResultProblem[] = []
    const checked = new Set<string>(['__typename'])
    const selected = sets ? this.#collectFields(sets, type) : new Map<string, Selected>()
    for (const [key, { nodes, isOptional }] of selected) {
      const name = nodes[0]!.name.value
      const field = fields[name]
      const own = this.#valueKey(value, key, name)
      if (own === undefined) {
        const isFilled = this.context.isServed || (name === '__typename' && this.context.isShaped)
        if (isOptional || isFilled || (!field && name !== '__typename')) continue
        const { operation } = this.context
        const missing = { operation, field: key, type: String(field?.type ?? 'String!') }
        problems.push({ path: [...path, key], text: diagnoseCheck('check-missing-field', {}, missing) })
        continue
      }
      checked.add(own).add(key)
      if (field) problems.push(...this.#checkValue(value[own], field.type, nodes, [...path, own]))
      else if (name === '__typename' && value[own] !== type.name) {
        const impossible = { type: type.name, value: String(value[own]), known: [type.name] }
        problems.push({ path: [...path, own], text: diagnoseCheck('check-invalid-typename', {}, impossible) })
      }
    }
    for (const key of Object.keys(value)) {
      if (checked.has(key)) continue
      const field = Object.hasOwn(fields, key) ? fields[key] : undefined
      // Another operation may select it.
      if (field) problems.push(...this.#checkValue(value[key], field.type, undefined, [...path, key]))
      else {
        const known = [...new Set([...selected.keys(), ...Object.keys(fields)])]
        const unknown = { type: type.name, field: key, known, mayBeAlias: sets === undefined }
        problems.push({ path: [...path, key], text: diagnoseCheck('check-unknown-field', {}, unknown) })
      }
    }
    return problems
  }

  #valueKey(value: Fields, key: string, fieldName: string): string | undefined {
    // The order in which the server looks for them.
    const { isShaped, isServed } = this.context
    const candidates = isShaped || isServed ? [fieldName, key] : [key]
    return candidates.find((candidate) => Object.hasOwn(value, candidate) && value[candidate] !== undefined)
  }

  #collectFields(sets: readonly SelectionSetNode[], type: GraphQLObjectType): Map<string, Selected> {
    const { schema, fragments } = this.context
    const context = { fragments, variables: undefined, mayBe: mayBeOf(schema, type) }
    const sure = fieldsByKey(sets, { ...context, onlySure: true })
    const all = [...fieldsByKey(sets, context)]
    return new Map(all.map(([key, nodes]) => [key, { nodes, isOptional: !sure.has(key) }]))
  }

  #typenameKeys(sets: readonly SelectionSetNode[]): string[] {
    const keys = new Set(['__typename'])
    const { fragments } = this.context
    forEachField(sets, { fragments, variables: undefined }, (field) => {
      if (field.name.value === '__typename') keys.add(responseKey(field))
    })
    return [...keys]
  }

  /** A server with the schema converts values: `'1'` becomes an `Int`. */
  #isLeafValue(value: unknown, type: GraphQLLeafType): boolean {
    if (isEnumType(type)) return typeof value === 'string' && type.getValue(value) != null
    const check = sentValues[type.name]
    if (!check) return true
    if (!this.context.isServed) return check(value)
    try {
      type.serialize(value)
      return true
    } catch {
      return false
    }
  }
}

const sentValues: Record<string, ((value: unknown) => boolean) | undefined> = {
  Int: (value) => Number.isInteger(value) && Math.abs(value as number) <= 2_147_483_648,
  Float: (value) => typeof value === 'number',
  String: (value) => typeof value === 'string',
  Boolean: (value) => typeof value === 'boolean',
  ID: (value) => typeof value === 'string',
}

/** Whether a fragment on a type has fields of an object. */
export function mayBeOf(schema: GraphQLSchema, type: GraphQLObjectType) {
  return (name: string) => {
    const on = schema.getType(name)
    return on === type || (isAbstractType(on) && schema.isSubType(on, type))
  }
}

function invalidLeaf(value: unknown, type: GraphQLLeafType, path: KeyPath): ResultProblem {
  if (!isEnumType(type) || typeof value !== 'string') return invalid(value, type, path)
  const known = type.getValues().map(({ name }) => name)
  const details = { field: fieldName(path), type: type.name, value, known }
  return { path, text: diagnoseCheck('check-invalid-enum', {}, details) }
}

function invalid(value: unknown, type: GraphQLOutputType, path: KeyPath): ResultProblem {
  const details = { field: fieldName(path), type: String(type), received: describeValue(value) }
  return { path, text: diagnoseCheck('check-invalid-value', {}, details) }
}

function fieldName(path: KeyPath): string {
  return path.filter((key) => typeof key === 'string').join('.') || 'data'
}
