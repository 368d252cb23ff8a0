import { oncePerObject } from '../values/collections.ts'
import type { GraphQLEnumValue, GraphQLLeafType } from 'graphql'
import { pick, seedOf, type AnswerNode } from './answer-node.ts'
import { hex32 } from '../values/hash.ts'
import { formatOfName, plausibleUuid, textInFormat } from '../values/plausible.ts'
import type { Values } from '../values/values.ts'

/** Values for what a fixture lacks, the same at every start. */

export function fillLeaf(type: GraphQLLeafType, node: AnswerNode, scalars: Values): unknown {
  const values = enumValuesOf(type)
  if (values) return pick(values, node)?.value as unknown
  if (Object.hasOwn(scalars, type.name)) return scalars[type.name]
  return scalarValue(type.name, fieldOf(node), seedOf(node))
}

/** Values of an enum, without deprecated ones unless all are; `null` for a scalar. */
const enumValuesOf = oncePerObject((type: GraphQLLeafType): readonly GraphQLEnumValue[] | null => {
  if (!('getValues' in type)) return null
  const current = type.getValues().filter(({ deprecationReason }) => deprecationReason == null)
  return current.length > 0 ? current : type.getValues()
})

/**
 * The most items that `first` or `last` give, by the number of generated lists around the list. It limits the size of
 * the answer.
 */
const mostItems = [20, 5, 3, 2]

/** The length of a filled-in list: as many items as asked for, else two. */
export function filledLength({ filledLists, step, args, parent }: AnswerNode): number {
  const asked = step === 'edges' || step === 'nodes' ? parent?.args : args
  const limits = [asked?.['first'], asked?.['last']].filter((limit) => typeof limit === 'number')
  const most = mostItems[filledLists] ?? 1
  return limits.length > 0 ? Math.max(0, Math.min(most, ...limits)) : Math.min(most, 2)
}

/** An item of a list has the name of the list. */
function fieldOf(node: AnswerNode): Field {
  let at = node
  while (typeof at.step === 'number') at = at.parent!
  return { typeName: at.typeName, fieldName: at.step }
}

interface Field {
  typeName: string
  fieldName: string
}

type Write = (seed: number, field: Field) => unknown

/** Small numbers, for readability: two fields may have the same one. */
function numberOf(seed: number): number {
  return (seed % 1000) + 1
}

const always =
  (value: unknown): Write =>
  () =>
    value

/** Writers, or formats of texts, by names of scalars in lower case and without `_`. */
const writers: readonly (readonly [names: string, write: Write | string])[] = [
  ['int bigint long short positiveint nonnegativeint unsignedint', numberOf],
  ['float decimal bigdecimal double', (seed) => (seed % 100_000) / 100],
  // A filled-in list has no further page, so that a client that reads all pages comes to an end.
  ['boolean', (seed, { fieldName }) => !/^has_?(?:next|previous|more)/i.test(fieldName) && seed % 2 === 1],
  ['id', (seed, { typeName }) => `${typeName}-${hex32(seed)}`],
  [
    'string',
    (seed, { fieldName }) =>
      textInFormat(formatOfName(fieldName) ?? '', numberOf(seed)) ?? `${fieldName} ${numberOf(seed)}`,
  ],
  ['datetime datetimeiso datetimetz isodatetime instant timestamp timestamptz', 'date-time'],
  ['localdatetime', (seed) => textInFormat('date-time', numberOf(seed))?.slice(0, -1)],
  ['date localdate', 'date'],
  ['time', 'time'],
  ['localtime', always('12:00:00')],
  ['duration', 'duration'],
  ['timezone', always('UTC')],
  ['json jsonobject map', always({})],
  ['void', always(null)],
  ['byte', always(1)],
  ['uuid guid', (seed) => plausibleUuid(seed, numberOf(seed))],
  ['objectid', (seed) => hex32(seed).padStart(24, '0')],
  ['url uri', 'uri'],
  ['email emailaddress', 'email'],
  ['phonenumber', always('+15555550100')],
  ['currency', always('EUR')],
  ['countrycode', always('NL')],
  ['locale', always('en')],
  ['hexcolor', always('#336699')],
  ['html', always('<p>text</p>')],
]
const writerByName = new Map(
  writers.flatMap(([names, write]) => names.split(' ').map((name) => [name, write])),
)

/** A value that shows its field; for an unknown scalar, its name and a number. */
export function scalarValue(scalarName: string, field: Field, seed: number): unknown {
  const write = writerByName.get(scalarName.toLowerCase().replaceAll('_', ''))
  if (typeof write === 'string') return textInFormat(write, numberOf(seed))
  return write ? write(seed, field) : `${scalarName} ${numberOf(seed)}`
}
