import {
  GraphQLError,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  type FieldNode,
  type GraphQLAbstractType,
  type GraphQLCompositeType,
  type GraphQLLeafType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
} from 'graphql/index.js'
import { inspect } from 'graphql/jsutils/inspect.js'
import { ByArguments } from '../graphql/by-arguments.ts'
import { weightOf } from '../graphql/shape/values.ts'
import { isPlainObject } from '../values/values.ts'
import { edgeTypeOf, fromTwin, seedOfNode } from './connection.ts'
import { identify, knownValue, type EntityContext } from './entity.ts'
import { fillLeaf, filledLength } from './fill.ts'
import { errorAt, errorsOfField, errorsOfItem, unitsPerError, type ErrorContext } from './fixture-errors.ts'
import { noteMisspelled, type MisspelledFields } from './misspelled-fields.ts'
import type { Place } from './place.ts'
import type { TypeContext } from './resolve-type.ts'
import { sizeOf, subselections } from './selections.ts'

/** The state of one run of an operation, which graphql-js passes to every field as its context. */
export interface Run extends ErrorContext, TypeContext, EntityContext {
  /** The number of selected `__typename` fields per list of nodes. */
  readonly gathered: WeakMap<readonly FieldNode[], number>
  readonly misspelled: MisspelledFields
}

/** A field costs a unit; a filled-in one is hashed with its path and costs more, and merging selections costs less. */
const unitsPerFilled = 3
const selectionsPerUnit = 10

/** Resolves a field to the fixture's value, or to a filled-in one. */
export function resolveField(
  source: Place,
  args: Readonly<Record<string, unknown>>,
  run: Run,
  info: GraphQLResolveInfo,
): unknown {
  if (run.budget.isSpent || !run.budget.spend('fields', 1 + costOfArguments(args))) return null
  const { fieldName, parentType, fieldNodes } = info
  let value = fixtureValue(source, info)
  if (value instanceof ByArguments) value = value.at(args)
  if (value === undefined) value = valueFromElsewhere(source, args, info, run)
  const shape = shapeOf(info.returnType)
  // The fast path for most fields.
  if (shape.kind === 'leaf' && value !== undefined && source.errors.length === 0) {
    return count(checkLeaf(value, shape, run), shape, run)
  }
  identify(source, parentType, run)
  const place: Place = {
    value,
    parent: source,
    step: fieldName,
    typeName: parentType.name,
    args,
    depth: source.depth + 1,
    filledLists: source.filledLists,
    errors: errorsOfField(source, info, run),
    fieldNodes,
  }
  return completeValue(place, shape, run, info)
}

/** Arguments are coerced for each field, and filled-in values are derived from them. */
function costOfArguments(args: Readonly<Record<string, unknown>>): number {
  let units = 0
  for (const name in args) units += 1 + 4 * weightOf(args[name])
  return units
}

/** The fixture's value, by the field's name or by the response key; `undefined` if it has none. */
function fixtureValue(source: Place, { fieldName, path: { key } }: GraphQLResolveInfo): unknown {
  const object = source.value as Record<string, unknown> | undefined
  if (!object) return undefined
  if (Object.hasOwn(object, fieldName) && object[fieldName] !== undefined) return object[fieldName]
  return key !== fieldName && Object.hasOwn(object, key) ? object[key] : undefined
}

/** A value that follows from other parts of the fixture or from the arguments; `undefined` if there is none. */
function valueFromElsewhere(
  source: Place,
  args: Readonly<Record<string, unknown>>,
  { fieldName, parentType }: GraphQLResolveInfo,
  run: Run,
): unknown {
  // A misspelled key is reported even if another part of the fixture has the value.
  if (source.value !== undefined) {
    noteMisspelled(run.misspelled, source, source.value as Record<string, unknown>, fieldName, parentType)
  }
  const entity = identify(source, parentType, run)
  if (entity && fieldName === 'id') return entity.id
  const known = entity && Object.keys(args).length === 0 ? knownValue(entity, fieldName, run) : undefined
  return known === undefined ? fromTwin(source.value, fieldName, parentType) : known
}

/** graphql-js collects the fields of a selection set once per list of nodes. */
function gather(run: Run, fieldNodes: readonly FieldNode[]): number {
  let typenames = run.gathered.get(fieldNodes)
  if (typenames === undefined) {
    typenames = 0
    for (const set of subselections(fieldNodes)) {
      const size = sizeOf(set, run.fragments)
      run.budget.spend('fields', Math.ceil(size.selections / selectionsPerUnit))
      typenames += size.typenames
    }
    run.gathered.set(fieldNodes, typenames)
  }
  return typenames
}

/** What to do for a type. */
type Shape = { isNonNull: boolean } & (
  | { kind: 'leaf'; type: GraphQLLeafType }
  | { kind: 'list'; item: Shape }
  | { kind: 'object'; type: GraphQLCompositeType; isAbstract: boolean }
)
type LeafShape = Extract<Shape, { kind: 'leaf' }>

const shapeByType = new WeakMap<GraphQLOutputType, Shape>()

function shapeOf(type: GraphQLOutputType): Shape {
  let shape = shapeByType.get(type)
  if (!shape) {
    shape = readShape(type)
    shapeByType.set(type, shape)
  }
  return shape
}

function readShape(type: GraphQLOutputType): Shape {
  const isNonNull = isNonNullType(type)
  if (isNonNull) return { ...readShape(type.ofType), isNonNull }
  if (isListType(type)) return { kind: 'list', item: shapeOf(type.ofType), isNonNull }
  return isLeafType(type)
    ? { kind: 'leaf', type, isNonNull }
    : { kind: 'object', type, isAbstract: isAbstractType(type), isNonNull }
}

/** Counts the values that graphql-js will throw an error for. */
function count(completed: unknown, { isNonNull }: Shape, run: Run): unknown {
  if (completed instanceof Error || (completed === null && isNonNull))
    run.budget.spend('errors', unitsPerError)
  return completed
}

/** The value for graphql-js to continue with: an error to throw, a value to serialise, or the place itself for an object. */
function completeValue(place: Place, shape: Shape, run: Run, info: GraphQLResolveInfo): unknown {
  const error = place.errors.length > 0 ? errorAt(place, info, run) : undefined
  return count(error ?? valueAt(place, shape, run, info), shape, run)
}

function valueAt(place: Place, shape: Shape, run: Run, info: GraphQLResolveInfo): unknown {
  const { value } = place
  if (value === null) return null
  if (value === undefined) run.budget.spend('fields', unitsPerFilled)
  if (shape.kind === 'list') return listAt(place, shape.item, run, info)
  if (shape.kind === 'leaf') {
    return checkLeaf(value === undefined ? fillLeaf(shape.type, place, run.scalars) : value, shape, run)
  }
  const { type, isAbstract } = shape
  if (value !== undefined && !isPlainObject(value)) {
    return new GraphQLError(`Expected value of type "${type.name}" but got: ${inspect(value)}.`)
  }
  if (value === undefined && isAbstract) {
    if (info.schema.getPossibleTypes(type as GraphQLAbstractType).length === 0) return null
  }
  run.budget.spend('fields', gather(run, info.fieldNodes))
  return place
}

/** Only checks the value: graphql-js serialises it afterwards. */
function checkLeaf(value: unknown, { type }: LeafShape, run: Run): unknown {
  if (value == null) return null
  run.budget.spend('fields', weightOf(value))
  try {
    type.serialize(value)
    return value
  } catch (error) {
    return error
  }
}

function listAt(place: Place, item: Shape, run: Run, info: GraphQLResolveInfo): unknown {
  const { value } = place
  if (value !== undefined && !Array.isArray(value)) {
    const field = `${info.parentType.name}.${info.fieldName}`
    return new GraphQLError(`Expected Iterable, but did not find one for field "${field}".`)
  }
  const values = value as readonly unknown[] | undefined
  if (!values || item.kind !== 'leaf' || place.errors.length > 0)
    return itemsOf(place, values, item, run, info)
  run.budget.spend('fields', values.length >> 3) // eight of them take as long as a field
  return leavesOf(values, item, run)
}

function* leavesOf(values: readonly unknown[], shape: LeafShape, run: Run): Generator {
  for (const value of values) {
    if (run.budget.isSpent) return
    yield count(checkLeaf(value, shape, run), shape, run)
  }
}

/** A generator, so that a list ends when the limit is reached. */
function* itemsOf(
  place: Place,
  value: readonly unknown[] | undefined,
  shape: Shape,
  run: Run,
  info: GraphQLResolveInfo,
): Generator {
  const { length } = value ?? { length: filledLength(place) }
  const filledLists = place.filledLists + (value ? 0 : 1)
  const edgeType = place.step === 'nodes' ? edgeTypeOf(info.parentType) : undefined
  for (let step = 0; step < length; step++) {
    if (!run.budget.spend('fields', 1)) return
    const item: Place = {
      ...place,
      // Nothing is filled into a list that the fixture has.
      value: value ? (value[step] ?? null) : undefined,
      parent: place,
      step,
      depth: place.depth + 1,
      filledLists,
      errors: errorsOfItem(place, step),
      seed: edgeType && seedOfNode(place, step, edgeType),
      entity: undefined,
    }
    yield completeValue(item, shape, run, info)
  }
}
