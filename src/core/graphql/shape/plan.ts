import type { FieldNode, OperationDefinitionNode, SelectionNode, SelectionSetNode } from 'graphql'
import { Kind } from 'graphql/language/kinds.js'
import { LRUCache } from 'lru-cache'
import { ownValue } from '../../values/values.ts'
import type { ParsedDocument } from '../document.ts'
import { isIncluded } from '../walk-fields.ts'
import { defaultsOf } from '../params.ts'
import { writtenValue } from './values.ts'

/** What an operation selects, under fixed conditions and for fixtures that name the same types. */
export interface Plan {
  root: PlannedSelection
  /** The selected fields of an object, in graphql-js's order of execution. A value that is not an object may be of any type. */
  fieldsOf: (selection: PlannedSelection, object: unknown) => PlannedFields
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
  fieldsByAbstractTypes: Map<string, PlannedFields>
}

type AbstractTypes = ReadonlyMap<string, ReadonlySet<PlannedField>>

export interface PlannedFields {
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

/** What plans of the same operation depend on. */
interface Survey {
  /** Variables that `@skip` and `@include` use. */
  variables: readonly string[]
  defaults: Readonly<Record<string, unknown>>
  /** The type conditions of fragments. */
  types: ReadonlySet<string>
  plans: LRUCache<string, Plan>
}

const surveys = new WeakMap<OperationDefinitionNode, Survey>()
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
  variables: Readonly<Record<string, unknown>> = {},
  typeNames: () => ReadonlySet<string>,
): Plan {
  const survey = surveyFor(document, operation)
  const { defaults, types, plans } = survey
  const values = survey.variables.map((name) => (Object.hasOwn(variables, name) ? variables : defaults)[name])
  const known = types.size > 0 ? typeNames() : types
  const concrete = [...types].filter((type) => known.has(type))
  const key = [...values.map((value) => (typeof value === 'boolean' ? value : '')), ...concrete].join()
  let plan = plans.get(key)
  if (!plan) {
    const conditions = Object.fromEntries(survey.variables.map((name, index) => [name, values[index]]))
    plan = createPlan(document, operation, conditions, types, new Set(concrete))
    plans.set(key, plan)
  }
  return plan
}

function surveyFor(document: ParsedDocument, operation: OperationDefinitionNode): Survey {
  let survey = surveys.get(operation)
  if (!survey) surveys.set(operation, (survey = surveyOf(document, operation)))
  return survey
}

/** A key that is the same for all variables that include the same fields. */
export function conditionsKey(
  document: ParsedDocument,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>> = {},
): string {
  const { variables: names, defaults } = surveyFor(document, operation)
  return names
    .map((name) => (Object.hasOwn(variables, name) ? variables : defaults)[name])
    .map((value) => (typeof value === 'boolean' ? value : ''))
    .join()
}

function surveyOf({ fragments }: ParsedDocument, operation: OperationDefinitionNode): Survey {
  const variables = new Set<string>()
  const types = new Set<string>()
  const seen = new Set<string>()
  const pending: SelectionSetNode[] = [operation.selectionSet]
  const enterFragment = (name: string) => {
    const fragment = seen.has(name) ? undefined : fragments.get(name)
    seen.add(name)
    if (!fragment) return
    types.add(fragment.typeCondition.name.value)
    pending.push(fragment.selectionSet)
  }
  for (let set = pending.pop(); set; set = pending.pop()) {
    for (const selection of set.selections) {
      for (const name of conditionsOf(selection)) variables.add(name)
      if (selection.kind === Kind.FRAGMENT_SPREAD) enterFragment(selection.name.value)
      else if (selection.selectionSet) pending.push(selection.selectionSet)
      if (selection.kind === Kind.INLINE_FRAGMENT && selection.typeCondition)
        types.add(selection.typeCondition.name.value)
    }
  }
  const defaults = defaultsOf(operation)
  return { variables: [...variables], defaults, types, plans: new LRUCache({ max: maxPlans }) }
}

function conditionsOf({ directives = [] }: SelectionNode): string[] {
  return directives
    .filter(({ name }) => name.value === 'skip' || name.value === 'include')
    .flatMap(({ arguments: args = [] }) => args)
    .flatMap(({ value }) => (value.kind === Kind.VARIABLE ? value.name.value : []))
}

/** Stands for each `__typename` without fragments, since such objects are all treated alike. */
const otherType = '*'
const noType = ''

function createPlan(
  { fragments }: ParsedDocument,
  operation: OperationDefinitionNode,
  conditions: Readonly<Record<string, unknown>>,
  types: ReadonlySet<string>,
  concreteTypes: ReadonlySet<string>,
): Plan {
  // The same sets are planned only once, since aliases in fragments in aliases would multiply.
  const selections = new Map<string, PlannedSelection>()

  function plan(sets: readonly SelectionSetNode[]): PlannedSelection {
    const key = sets.map(({ loc }) => loc!.start).join()
    let selection = selections.get(key)
    if (!selection) selections.set(key, (selection = { sets, byType: new Map() }))
    return selection
  }

  function fieldsOf(selection: PlannedSelection, object: unknown): PlannedFields {
    const typeName = ownValue(object, '__typename')
    const type = typeof typeName !== 'string' ? noType : types.has(typeName) ? typeName : otherType
    let planned = selection.byType.get(type)
    if (!planned) {
      const { abstractTypes } = collect(selection.sets, type)
      selection.byType.set(type, (planned = { abstractTypes, fieldsByAbstractTypes: new Map() }))
    }
    const { abstractTypes, fieldsByAbstractTypes } = planned
    const fitting = abstractTypes.size === 0 ? [] : fittingTypes(abstractTypes, object)
    const key = fitting.join()
    let fields = fieldsByAbstractTypes.get(key)
    if (!fields) {
      const list = collect(selection.sets, type, new Set(fitting)).fields
      const asked = [...abstractTypes.values()].reduce((sum, { size }) => sum + 1 + size, 0)
      fields = { list, cost: Math.max(1, list.length, asked >> 3) }
      if (fieldsByAbstractTypes.size >= maxPlans) fieldsByAbstractTypes.clear()
      fieldsByAbstractTypes.set(key, fields)
    }
    return fields
  }

  /**
   * `CollectFields` of the specification, for a type whose name is all that is known.
   *
   * @param fitting the abstract types of the object; by default all
   */
  function collect(sets: readonly SelectionSetNode[], type: string, fitting?: ReadonlySet<string>) {
    const fields = new Map<string, PlannedField>()
    const abstractTypes = new Map<string, Set<PlannedField>>()
    const seen = new Set<string>()

    function enter({ selections }: SelectionSetNode, on: string | undefined): void {
      for (const selection of selections) {
        if (!isIncluded(selection, conditions)) continue
        if (selection.kind === Kind.FIELD) add(selection, on)
        else if (selection.kind === Kind.INLINE_FRAGMENT) {
          const { typeCondition, selectionSet } = selection
          if (typeCondition) enterOn(typeCondition.name.value, selectionSet)
          else enter(selectionSet, on)
        } else if (!seen.has(selection.name.value)) {
          seen.add(selection.name.value)
          const fragment = fragments.get(selection.name.value)
          if (fragment) enterOn(fragment.typeCondition.name.value, fragment.selectionSet)
        }
      }
    }

    function enterOn(condition: string, selectionSet: SelectionSetNode): void {
      if (type === noType || type === condition) return enter(selectionSet, undefined)
      if (concreteTypes.has(condition) || fitting?.has(condition) === false) return
      if (!abstractTypes.has(condition)) abstractTypes.set(condition, new Set())
      enter(selectionSet, condition)
    }

    function add(node: FieldNode, on: string | undefined): void {
      const key = (node.alias ?? node.name).value
      let field = fields.get(key)
      if (!field) {
        field = { name: node.name.value, key, nodes: [], selection: undefined, isSure: false }
        fields.set(key, field)
      }
      field.nodes.push(node)
      if (on === undefined) field.isSure = true
      else if (field.name !== '__typename') abstractTypes.get(on)!.add(field)
    }

    for (const set of sets) enter(set, undefined)
    for (const [type, on] of abstractTypes) {
      // Relay's compiler marks interfaces and unions with this alias, and then expects all of their fields.
      if (fields.has(`__is${type}`)) for (const field of on) field.isSure = true
    }
    for (const field of fields.values()) {
      const below = field.nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
      if (below.length > 0) field.selection = plan(below)
    }
    return { fields: [...fields.values()], abstractTypes }
  }

  return { root: plan([operation.selectionSet]), fieldsOf }
}

/**
 * A guess, since there is no schema: an object is of a type if it has a field that is selected on the type. Without the
 * guess, objects would get the `__isShip` marks and null fields of other types: the comparison with graphql-js would fail,
 * and Relay's store would contain data that no server sends.
 */
function fittingTypes(abstractTypes: AbstractTypes, object: unknown): string[] {
  const fitting: string[] = []
  for (const [type, fields] of abstractTypes)
    if (fields.size === 0 || hasAny(object, fields)) fitting.push(type)
  return fitting
}

function hasAny(object: unknown, fields: ReadonlySet<PlannedField>): boolean {
  for (const field of fields) if (writtenValue(object, field) !== undefined) return true
  return false
}
