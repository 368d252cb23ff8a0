import {
  getNullableType,
  GraphQLError,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  type FieldNode,
  type GraphQLAbstractType,
  type GraphQLCompositeType,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
} from 'graphql/index.js'
import { inspect } from 'graphql/jsutils/inspect.js'
import { weightOf, type Budget } from '../graphql/budget.ts'
import { writtenValue, type MissingFields } from '../graphql/fixture-data.ts'
import { PagedConnection } from '../graphql/result.ts'
import { forEachField, subselections } from '../graphql/selections.ts'
import { getOrMake } from '../values/collections.ts'
import { writtenNumber } from '../values/exact-number.ts'
import { isPlainObject, ownValue, type Values } from '../values/values.ts'
import { fieldPath, pick, type AnswerNode } from './answer-node.ts'
import {
  edgeTypeOf,
  fromTwin,
  identify,
  knownValue,
  seedOfNode,
  totalOf,
  typeOfAskedId,
  type EntityContext,
} from './entity.ts'
import { errorAt, errorsOfField, type ErrorContext } from './errors.ts'
import { fillLeaf, filledLength } from './fill.ts'

export interface Run extends ErrorContext, EntityContext {
  readonly budget: Budget
  readonly missing: MissingFields
  /** Keys of the fixture's objects that are not fields of their types. */
  readonly strayKeys: WeakMap<object, readonly string[]>
  readonly typenames: WeakMap<readonly FieldNode[], number>
}

/** A filled-in field is hashed with its path; an error has a stack trace and passes every level of the answer. */
const unitsPerFilled = 3
const unitsPerError = 40
const selectionsPerUnit = 10

export function resolveField(source: AnswerNode, args: Values, run: Run, info: GraphQLResolveInfo): unknown {
  if (run.budget.isSpent || !run.budget.spend('fields', 1 + costOfArguments(args))) return null
  const { fieldName, parentType, fieldNodes, path } = info
  let value = writtenValue(source.value, fieldName, String(path.key))
  if (value instanceof PagedConnection) value = value.pageFor(args, 'with-schema')
  if (value === undefined) value = valueFromElsewhere(source, args, info, run)
  const { returnType } = info
  if (value !== undefined && source.errors.length === 0 && isLeafType(getNullableType(returnType)))
    return checkLeaf(value, returnType, run.budget)
  identify(source, parentType, run)
  const node: AnswerNode = {
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
  return completeValue(node, returnType, run, info)
}

/** Arguments are coerced for each field, and filled-in values are derived from them. */
function costOfArguments(args: Values): number {
  let units = 0
  for (const name in args) units += 1 + 4 * weightOf(args[name])
  return units
}

/** A value from other parts of the fixture or from the arguments; `undefined` if there is none. */
function valueFromElsewhere(
  source: AnswerNode,
  args: Values,
  { fieldName, parentType }: GraphQLResolveInfo,
  run: Run,
): unknown {
  // A misspelled key is reported even if another part of the fixture has the value.
  if (source.value !== undefined) reportMisspelled(run, source, fieldName, parentType)
  const entity = identify(source, parentType, run)
  if (entity && fieldName === 'id') return entity.id
  const known = entity && Object.keys(args).length === 0 ? knownValue(entity, fieldName, run) : undefined
  if (known !== undefined) return known
  return fromTwin(source.value, fieldName, parentType) ?? totalOf(source, fieldName, parentType)
}

/** graphql-js collects the fields of a selection set once per list of nodes, and resolves `__typename` itself. */
function spendOnSelections(run: Run, fieldNodes: readonly FieldNode[]): void {
  const typenames = getOrMake(run.typenames, fieldNodes, () => {
    let count = 0
    const lookedAt = forEachField(subselections(fieldNodes), run, ({ name }) => {
      if (name.value === '__typename') count++
    })
    run.budget.spend('fields', Math.ceil(lookedAt / selectionsPerUnit))
    return count
  })
  run.budget.spend('fields', typenames)
}

/** The value that graphql-js continues with: an error to throw, a value to serialise, or the node of an object. */
function completeValue(node: AnswerNode, type: GraphQLOutputType, run: Run, info: GraphQLResolveInfo) {
  const { value } = node
  const { budget } = run
  const error = node.errors.length > 0 ? errorAt(node, info, run) : undefined
  if (error || value === null) return countError(error ?? null, type, budget)
  if (value === undefined) budget.spend('fields', unitsPerFilled)
  const named = getNullableType(type)
  if (isLeafType(named)) return checkLeaf(value ?? fillLeaf(named, node, run.scalars), type, budget)
  if (isListType(named)) return countError(listAt(node, named.ofType, run, info), type, budget)
  return countError(objectAt(node, named, run, info), type, budget)
}

function objectAt(node: AnswerNode, type: GraphQLCompositeType, run: Run, info: GraphQLResolveInfo): unknown {
  const { value } = node
  if (value !== undefined && !isPlainObject(value)) {
    return new GraphQLError(`Expected value of type "${type.name}" but got: ${inspect(value)}.`)
  }
  if (value === undefined && isAbstractType(type) && info.schema.getPossibleTypes(type).length === 0)
    return null
  spendOnSelections(run, info.fieldNodes)
  return node
}

function listAt(node: AnswerNode, item: GraphQLOutputType, run: Run, info: GraphQLResolveInfo): unknown {
  const { value } = node
  if (value !== undefined && !Array.isArray(value)) {
    const field = `${info.parentType.name}.${info.fieldName}`
    return new GraphQLError(`Expected Iterable, but did not find one for field "${field}".`)
  }
  const isPlain = value && node.errors.length === 0 && isLeafType(getNullableType(item))
  return isPlain ? leavesOf(value, item, run.budget) : itemsOf(node, value, item, run, info)
}

/** Ten times as fast as items with nodes, of which there may be few. */
function* leavesOf(values: readonly unknown[], type: GraphQLOutputType, budget: Budget): Generator {
  budget.spend('fields', values.length >> 3) // eight of them take as long as a field
  for (const value of values) {
    if (budget.isSpent) return
    yield checkLeaf(value, type, budget)
  }
}

/** A generator, so that a list ends when the limit is reached. */
function* itemsOf(
  node: AnswerNode,
  value: readonly unknown[] | undefined,
  type: GraphQLOutputType,
  run: Run,
  info: GraphQLResolveInfo,
): Generator {
  const { length } = value ?? { length: filledLength(node) }
  const filledLists = node.filledLists + (value ? 0 : 1)
  const edgeType = node.step === 'nodes' ? edgeTypeOf(info.parentType) : null
  for (let step = 0; step < length; step++) {
    if (!run.budget.spend('fields', 1)) return
    const item: AnswerNode = {
      ...node,
      // Nothing is filled into a list that the fixture has.
      value: value ? (value[step] ?? null) : undefined,
      parent: node,
      step,
      depth: node.depth + 1,
      filledLists,
      errors: node.errors.filter(({ path }) => path[node.depth] === step),
      seed: edgeType ? seedOfNode(node, step, edgeType) : undefined,
      entity: undefined,
    }
    yield completeValue(item, type, run, info)
  }
}

/** Reports a filled-in field if a key of the fixture's object is similar. */
function reportMisspelled(
  { missing, strayKeys }: Run,
  node: AnswerNode,
  fieldName: string,
  type: GraphQLObjectType,
): void {
  const object = node.value as Values
  const stray = getOrMake(strayKeys, object, () => {
    const fields = type.getFields()
    return Object.keys(object).filter((key) => key !== '__typename' && !Object.hasOwn(fields, key))
  })
  if (stray.length > 0) missing.add(fieldPath(node, fieldName), stray, true)
}

/** graphql-js will throw an error for such a value. */
function countError(completed: unknown, type: GraphQLOutputType, budget: Budget): unknown {
  const isError = completed instanceof Error || (completed === null && isNonNullType(type))
  if (isError) budget.spend('errors', unitsPerError)
  return completed
}

/** A scalar or an enum is only checked here: graphql-js serialises it afterwards. */
function checkLeaf(given: unknown, type: GraphQLOutputType, budget: Budget): unknown {
  const leaf = getNullableType(type) as GraphQLLeafType
  const value = asLeaf(given, leaf)
  if (value == null) return countError(null, type, budget)
  budget.spend('fields', weightOf(value))
  try {
    leaf.serialize(value)
    return value
  } catch (error) {
    return countError(error, type, budget)
  }
}

/** A number that JavaScript can't hold: an id has its digits, and the other built-in scalars have no longer numbers. */
function asLeaf(value: unknown, { name }: GraphQLLeafType): unknown {
  const written = writtenNumber(value)
  if (written === undefined) return value
  if (name === 'ID' || name === 'String') return written
  return name === 'Int' || name === 'Float' || name === 'Boolean' ? Number(written) : value
}

/**
 * The fixture's `__typename`, otherwise the first type with all of the object's keys. Filled-in objects alternate
 * between the types, unless the requested id shows the type.
 */
export function resolveType(
  node: AnswerNode,
  run: Run,
  { schema, fieldNodes }: GraphQLResolveInfo,
  abstractType: GraphQLAbstractType,
): string | undefined {
  const types = schema.getPossibleTypes(abstractType)
  // Without a `__typename`, all types are compared, some several times.
  run.budget.spend('fields', types.length >> 4)
  if (node.value === undefined) {
    return (typeOfAskedId(node, types, fieldNodes, run) ?? pick(types, node))?.name
  }
  const written = ownValue(node.value, '__typename')
  if (typeof written === 'string') return written
  const keys = Object.keys(node.value as object)
  const type =
    types.find((candidate) =>
      keys.every((key) => key === '__typename' || Object.hasOwn(candidate.getFields(), key)),
    ) ?? types[0]
  return type?.name
}
