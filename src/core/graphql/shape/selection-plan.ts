import { getOrMake } from '../../values/collections.ts'
import type { FieldNode, OperationDefinitionNode, SelectionNode, SelectionSetNode } from 'graphql'
import { Kind } from 'graphql/language/kinds.js'
import { ownValue } from '../../values/values.ts'
import type { ParsedDocument } from '../document.ts'
import { defaultsOf } from '../params.ts'
import { conditionOf, everySelection, forEachField, fragmentOf, subselections } from '../selections.ts'
import { writtenValue } from './field-value.ts'
import { LruMap } from '../../values/lru-map.ts'

type Variables = Readonly<Record<string, unknown>>

/** What an operation selects, under fixed conditions and for fixtures that name the same types. */
export interface Plan {
  root: PlannedSelection
  /**
   * The selected fields of an object, in graphql-js's order of execution. A value that is not an object may be of any type.
   *
   * @param variables may differ from those that the plan was made for, but not in a condition
   */
  fieldsOf: (selection: PlannedSelection, object: unknown, variables: Variables) => PlannedFields
}

/** Merged selection sets, as in `{ hero { id } hero { name } }`. */
export interface PlannedSelection {
  sets: readonly SelectionSetNode[]
  byType: Map<string, PlannedType>
}

/** The selected fields of objects with the same `__typename`. */
interface PlannedType {
  /** Abstract types that such an object may have, with the fields selected on each that decide it. */
  abstractTypes: AbstractTypes
  fieldsByOtherTypes: Map<string, PlannedFields>
}

type AbstractTypes = ReadonlyMap<string, ReadonlySet<PlannedField>>

interface PlannedFields {
  list: readonly PlannedField[]
  /** The cost of choosing and reading them, in fields. */
  cost: number
}

/** Everything that an operation selects under one response key. */
export interface PlannedField {
  name: string
  /** The alias, or the name. */
  key: string
  nodes: FieldNode[]
  /** The selection of the field's objects; a leaf has none. */
  selection: PlannedSelection | undefined
  /** Whether it is selected without a type condition, or on the object's own type. */
  isSure: boolean
}

/** What the plans of one operation depend on. */
interface PlanInputs {
  /** Variables that `@skip` and `@include` use. */
  variables: ReadonlySet<string>
  defaults: Variables
  /** The type conditions of fragments. */
  types: ReadonlySet<string>
  plans: LruMap<string, Plan>
}

const inputsByOperation = new WeakMap<OperationDefinitionNode, PlanInputs>()
/** Maximum cached plans per operation or selection, since the combinations of conditions multiply. */
const maxPlans = 8

/**
 * The plan of an operation, compiled lazily, once for each combination of its conditions: only for parts that the fixture
 * has objects for.
 *
 * @param typeNames returns the types of the fixture's objects; only called if there are fragments
 */
export function planOf(
  document: ParsedDocument,
  operation: OperationDefinitionNode,
  variables: Variables | undefined,
  typeNames: () => ReadonlySet<string>,
): Plan {
  const { types, plans } = inputsOf(document, operation)
  const known = types.size > 0 ? typeNames() : types
  const concreteTypes = new Set([...types].filter((type) => known.has(type)))
  const key = `${conditionsKey(document, operation, variables)} ${[...concreteTypes].join()}`
  return getOrMake(plans, key, () => createPlan(document, operation, types, concreteTypes))
}

/** A key that is the same for all variables that include the same fields. */
export function conditionsKey(
  document: ParsedDocument,
  operation: OperationDefinitionNode,
  variables: Variables = {},
): string {
  const { variables: names, defaults } = inputsOf(document, operation)
  if (names.size === 0) return ''
  const values = [...names].map((name) => (Object.hasOwn(variables, name) ? variables : defaults)[name])
  return values.map((value) => (typeof value === 'boolean' ? value : '')).join()
}

function inputsOf({ fragments }: ParsedDocument, operation: OperationDefinitionNode): PlanInputs {
  const known = inputsByOperation.get(operation)
  if (known) return known
  const variables = new Set<string>()
  const types = new Set<string>()
  for (const selection of everySelection(operation.selectionSet, fragments)) {
    for (const name of conditionVariables(selection)) variables.add(name)
    const { typeCondition = undefined } =
      selection.kind === Kind.FIELD ? {} : (fragmentOf(selection, fragments) ?? {})
    if (typeCondition) types.add(typeCondition.name.value)
  }
  const inputs = { variables, defaults: defaultsOf(operation), types, plans: new LruMap<string, Plan>({ max: maxPlans }) } // prettier-ignore
  inputsByOperation.set(operation, inputs)
  return inputs
}

function conditionVariables({ directives = [] }: SelectionNode): string[] {
  return directives.flatMap((directive) => {
    const value = /^(?:skip|include)$/.test(directive.name.value) ? conditionOf(directive) : undefined
    return value?.kind === Kind.VARIABLE ? value.name.value : []
  })
}

/** Stands for each `__typename` without fragments, since such objects are all treated alike. */
const otherType = '*'
const noType = ''

function createPlan(
  { fragments }: ParsedDocument,
  operation: OperationDefinitionNode,
  types: ReadonlySet<string>,
  concreteTypes: ReadonlySet<string>,
): Plan {
  // The same sets are planned only once, since aliases in fragments in aliases would multiply.
  const selections = new Map<string, PlannedSelection>()

  function plan(sets: readonly SelectionSetNode[]): PlannedSelection {
    const key = sets.map(({ loc }) => loc!.start).join()
    return getOrMake(selections, key, () => ({ sets, byType: new Map() }))
  }

  function fieldsOf(selection: PlannedSelection, object: unknown, variables: Variables): PlannedFields {
    const typeName = ownValue(object, '__typename')
    const type = typeof typeName !== 'string' ? noType : types.has(typeName) ? typeName : otherType
    let planned = selection.byType.get(type)
    if (!planned) {
      const { abstractTypes } = collect(selection.sets, type, variables)
      selection.byType.set(type, (planned = { abstractTypes, fieldsByOtherTypes: new Map() }))
    }
    const { abstractTypes, fieldsByOtherTypes } = planned
    const otherTypes = abstractTypes.size === 0 ? [] : typesWithoutFields(abstractTypes, object)
    const key = otherTypes.join()
    let fields = fieldsByOtherTypes.get(key)
    if (!fields) {
      const list = [...collect(selection.sets, type, variables, new Set(otherTypes)).fields.values()]
      const asked = [...abstractTypes.values()].reduce((sum, { size }) => sum + 1 + size, 0)
      fields = { list, cost: Math.max(1, list.length, asked >> 3) }
      if (fieldsByOtherTypes.size >= maxPlans) fieldsByOtherTypes.clear()
      fieldsByOtherTypes.set(key, fields)
    }
    return fields
  }

  /**
   * `CollectFields` of the specification, for a type whose name is all that is known.
   *
   * @param otherTypes abstract types that the object does not have
   */
  function collect(
    sets: readonly SelectionSetNode[],
    type: string,
    variables: Variables,
    otherTypes: ReadonlySet<string> = new Set(),
  ) {
    const fields = new Map<string, PlannedField>()
    const abstractTypes = new Map<string, Set<PlannedField>>()
    const isOwn = (condition: string) => type === noType || type === condition
    const mayBe = (condition: string) =>
      isOwn(condition) || !(concreteTypes.has(condition) || otherTypes.has(condition))
    forEachField(sets, { fragments, variables, mayBe }, (node, condition) => {
      const name = node.name.value
      const key = node.alias?.value ?? name
      let field = fields.get(key)
      if (!field) fields.set(key, (field = { name, key, nodes: [], selection: undefined, isSure: false }))
      field.nodes.push(node)
      if (condition === undefined || isOwn(condition)) field.isSure = true
      else {
        const on = getOrMake(abstractTypes, condition, () => new Set())
        if (field.name !== '__typename') on.add(field)
      }
    })
    for (const [type, on] of abstractTypes) {
      // Relay's compiler marks interfaces and unions with this alias, and then expects all of their fields.
      if (fields.has(`__is${type}`)) for (const field of on) field.isSure = true
    }
    for (const field of fields.values()) {
      const below = subselections(field.nodes)
      if (below.length > 0) field.selection = plan(below)
    }
    return { fields, abstractTypes }
  }

  return { root: plan([operation.selectionSet]), fieldsOf }
}

/**
 * A guess, since there is no schema: an object is of a type if it has a field that is selected on the type. Without the
 * guess, objects would get the `__isShip` marks and null fields of other types: the comparison with graphql-js would fail,
 * and Relay's store would contain data that no server sends.
 */
function typesWithoutFields(abstractTypes: AbstractTypes, object: unknown): string[] {
  const types: string[] = []
  for (const [type, fields] of abstractTypes) if (fields.size > 0 && !hasAny(object, fields)) types.push(type)
  return types
}

function hasAny(object: unknown, fields: ReadonlySet<PlannedField>): boolean {
  for (const field of fields) if (writtenValue(object, field.name, field.key) !== undefined) return true
  return false
}
