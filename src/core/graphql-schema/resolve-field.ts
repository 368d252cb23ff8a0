import { GraphQLError, isAbstractType, type FieldNode, type GraphQLResolveInfo } from 'graphql/index.js'
import { inspect } from 'graphql/jsutils/inspect.js'
import { PagedConnection } from '../graphql/paged-connection.ts'
import { subselections } from '../graphql/selections.ts'
import { weightOf, writtenValue } from '../graphql/shape/field-value.ts'
import { isPlainObject } from '../values/values.ts'
import type { AnswerNode } from './answer-node.ts'
import { checkLeaf, countError, outputOf, type LeafOutput, type Output } from './check-value.ts'
import { edgeTypeOf, fromTwin, seedOfNode } from './connection.ts'
import { identify, knownValue, type EntityContext } from './entity.ts'
import { fillLeaf, filledLength } from './fill.ts'
import { errorAt, errorsOfField, errorsOfItem, type ErrorContext } from './fixture-errors.ts'
import { sizeOf } from './selection-size.ts'
import { reportMisspelled, type MissingContext } from './stray-keys.ts'

/** The state of one run of an operation, which graphql-js passes to every field as its context. */
export interface Run extends ErrorContext, EntityContext, MissingContext {
  /** The number of selected `__typename` fields per list of nodes. */
  readonly typenames: WeakMap<readonly FieldNode[], number>
}

/** A field costs a unit; a filled-in one is hashed with its path and costs more, and merging selections costs less. */
const unitsPerFilled = 3
const selectionsPerUnit = 10

/** Resolves a field to the fixture's value, or to a filled-in one. */
export function resolveField(
  source: AnswerNode,
  args: Readonly<Record<string, unknown>>,
  run: Run,
  info: GraphQLResolveInfo,
): unknown {
  if (run.budget.isSpent || !run.budget.spend('fields', 1 + costOfArguments(args))) return null
  const { fieldName, parentType, fieldNodes, path } = info
  let value = writtenValue(source.value, fieldName, String(path.key))
  if (value instanceof PagedConnection) value = value.pageFor(args)
  if (value === undefined) value = valueFromElsewhere(source, args, info, run)
  const output = outputOf(info.returnType)
  // The fast path for most fields.
  if (output.kind === 'leaf' && value !== undefined && source.errors.length === 0) {
    return checkLeaf(value, output, run.budget)
  }
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
  return completeValue(node, output, run, info)
}

/** Arguments are coerced for each field, and filled-in values are derived from them. */
function costOfArguments(args: Readonly<Record<string, unknown>>): number {
  let units = 0
  for (const name in args) units += 1 + 4 * weightOf(args[name])
  return units
}

/** A value that follows from other parts of the fixture or from the arguments; `undefined` if there is none. */
function valueFromElsewhere(
  source: AnswerNode,
  args: Readonly<Record<string, unknown>>,
  { fieldName, parentType }: GraphQLResolveInfo,
  run: Run,
): unknown {
  // A misspelled key is reported even if another part of the fixture has the value.
  if (source.value !== undefined) reportMisspelled(run, source, fieldName, parentType)
  const entity = identify(source, parentType, run)
  if (entity && fieldName === 'id') return entity.id
  const known = entity && Object.keys(args).length === 0 ? knownValue(entity, fieldName, run) : undefined
  return known === undefined ? fromTwin(source.value, fieldName, parentType) : known
}

/** graphql-js collects the fields of a selection set once per list of nodes. */
function spendOnCollecting(run: Run, fieldNodes: readonly FieldNode[]): number {
  let typenames = run.typenames.get(fieldNodes)
  if (typenames === undefined) {
    typenames = 0
    for (const set of subselections(fieldNodes)) {
      const size = sizeOf(set, run.fragments)
      run.budget.spend('fields', Math.ceil(size.selections / selectionsPerUnit))
      typenames += size.typenames
    }
    run.typenames.set(fieldNodes, typenames)
  }
  return typenames
}

/** The value for graphql-js to continue with: an error to throw, a value to serialise, or the node itself for an object. */
function completeValue(node: AnswerNode, output: Output, run: Run, info: GraphQLResolveInfo): unknown {
  const { value } = node
  const error = node.errors.length > 0 ? errorAt(node, info, run) : undefined
  if (error || value === null) return countError(error ?? null, output, run.budget)
  if (value === undefined) run.budget.spend('fields', unitsPerFilled)
  if (output.kind !== 'leaf') return countError(valueAt(node, output, run, info), output, run.budget)
  return checkLeaf(value === undefined ? fillLeaf(output.type, node, run.scalars) : value, output, run.budget)
}

function valueAt(
  node: AnswerNode,
  output: Exclude<Output, LeafOutput>,
  run: Run,
  info: GraphQLResolveInfo,
): unknown {
  if (output.kind === 'list') return listAt(node, output.item, run, info)
  const { value } = node
  const { type } = output
  if (value !== undefined && !isPlainObject(value)) {
    return new GraphQLError(`Expected value of type "${type.name}" but got: ${inspect(value)}.`)
  }
  if (value === undefined && isAbstractType(type) && info.schema.getPossibleTypes(type).length === 0)
    return null
  run.budget.spend('fields', spendOnCollecting(run, info.fieldNodes))
  return node
}

function listAt(node: AnswerNode, item: Output, run: Run, info: GraphQLResolveInfo): unknown {
  const { value } = node
  if (value !== undefined && !Array.isArray(value)) {
    const field = `${info.parentType.name}.${info.fieldName}`
    return new GraphQLError(`Expected Iterable, but did not find one for field "${field}".`)
  }
  const values = value as readonly unknown[] | undefined
  if (!values || item.kind !== 'leaf' || node.errors.length > 0) return itemsOf(node, values, item, run, info)
  run.budget.spend('fields', values.length >> 3) // eight of them take as long as a field
  return leavesOf(values, item, run)
}

function* leavesOf(values: readonly unknown[], output: LeafOutput, run: Run): Generator {
  for (const value of values) {
    if (run.budget.isSpent) return
    yield checkLeaf(value, output, run.budget)
  }
}

/** A generator, so that a list ends when the limit is reached. */
function* itemsOf(
  node: AnswerNode,
  value: readonly unknown[] | undefined,
  output: Output,
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
      errors: errorsOfItem(node, step),
      seed: edgeType ? seedOfNode(node, step, edgeType) : undefined,
      entity: undefined,
    }
    yield completeValue(item, output, run, info)
  }
}
