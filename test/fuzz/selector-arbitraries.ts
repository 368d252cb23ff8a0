import fc from 'fast-check'
import { parts } from '../sampling.ts'
import { operatorNames } from '../../src/core/select/operators.ts'
import { rawRequest } from '../core/send.ts'
import type { RawRequest } from '../../src/core/http/raw-request.ts'

/* Selectors of every kind, and requests that they may fit. */

export type When = Record<string, unknown>

/** Few, so that they meet. */
const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b') },
  { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'toString', 'length', '0', '') },
)
const dotted = fc.oneof(name, fc.constantFrom('a.b', 'a.0', '__proto__.a', 'a.', '.', 'a..b', 'length.a'))
const text = fc.oneof(
  fc.constantFrom('1', 'a', 'true'),
  fc.constantFrom('', '0', '2', '02', '1.0', '-1', '-0', 'ab', 'null', 'é', '1e', '.'),
  fc.constantFrom('9007199254740993', '9007199254740993.0', '1234567890123456', '0.30000000000000001'),
)
const scalar = fc.oneof(
  text,
  fc.constantFrom<unknown>(null, true, false, 0, 1, 2, -1, 0.5, 0.3, 1e999, 9007199254740992),
)

/** Objects whose keys are own ones, `__proto__` too. */
const objectOf = (key: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>, maxLength = 3) =>
  fc.array(fc.tuple(key, value), { maxLength }).map((entries) => Object.fromEntries(entries))

const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('json'), { maxLength: 3 }),
    objectOf(
      fc.oneof(name, fc.constantFrom('valueOf', 'toJSON', 'hasOwnProperty', '$gt', 'a.b')),
      tie('json'),
    ),
  ),
}))

const plainPattern = fc.constantFrom('a', '^a', 'b$', '.', '[01]+', '', 'é')
const ordered = fc.oneof(text, fc.constantFrom(0, 1, 2, -1, 0.5, 0.3, 9007199254740992))
const { literal } = fc.letrec<{ literal: unknown; operators: unknown }>((tie) => ({
  literal: fc.oneof(
    { maxDepth: 3 },
    scalar,
    tie('operators'),
    objectOf(dotted, tie('literal')),
    fc.array(tie('literal'), { maxLength: 2 }),
  ),
  operators: fc.oneof(
    { maxDepth: 3 },
    fc
      .record(
        {
          $eq: json,
          $ne: json,
          $in: fc.array(plainJson(), { maxLength: 3 }),
          $nin: fc.array(plainJson(), { maxLength: 3 }),
          $gt: ordered,
          $gte: ordered,
          $lt: ordered,
          $lte: ordered,
          $exists: fc.boolean(),
          $size: fc.integer({ min: 0, max: 3 }),
          $mod: fc.tuple(fc.constantFrom(1, 2, 3), fc.constantFrom(0, 1)),
        },
        { requiredKeys: [] },
      )
      .map((all) => Object.fromEntries(Object.entries(all).slice(0, 2))),
    fc.record(
      { $regex: plainPattern, $options: fc.constantFrom('', 'i', 's') },
      { requiredKeys: ['$regex'] },
    ),
    fc.record({ $not: tie('literal') }),
    fc.record({ $elemMatch: fc.oneof(tie('operators'), objectOf(dotted, tie('literal'))) }),
    fc
      .tuple(
        fc.constantFrom('$and', '$or', '$nor', '$all'),
        fc.array(tie('literal'), { minLength: 1, maxLength: 3 }),
      )
      .map(([key, list]) => ({ [key]: list })),
  ),
}))

/** Of lists of values, entries that could be taken for operators are refused. */
function plainJson() {
  return json.filter((value) => !/"\$/.test(JSON.stringify(value) ?? ''))
}

/** As a literal, `null` selects no text. */
const textScalar = scalar.filter((value) => value !== null)
const { textOperators } = fc.letrec<{ textOperators: unknown }>((tie) => ({
  textOperators: fc.oneof(
    { maxDepth: 3 },
    fc.record({ $eq: scalar }),
    fc.record({ $ne: scalar }),
    fc.record({ $in: fc.array(scalar, { maxLength: 3 }) }),
    fc.record({ $gt: ordered, $lte: ordered }, { requiredKeys: ['$gt'] }),
    fc.record({ $exists: fc.boolean() }),
    fc.record({ $mod: fc.tuple(fc.constantFrom(1, 2), fc.constantFrom(0, 1)) }),
    fc.record({ $regex: plainPattern }),
    fc.record({ $not: fc.oneof(textScalar, tie('textOperators')) }),
    fc
      .tuple(
        fc.constantFrom('$and', '$or', '$nor'),
        fc.array(fc.oneof(textScalar, tie('textOperators')), { minLength: 1, maxLength: 2 }),
      )
      .map(([key, list]) => ({ [key]: list })),
  ),
}))
const textLiteral = fc.oneof(text, fc.constantFrom<unknown>(1, 2, true), textOperators)
/** A parameter may be sent several times. */
const parameterLiteral = fc.oneof(
  { weight: 3, arbitrary: textLiteral },
  { weight: 1, arbitrary: fc.array(textLiteral, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.record({ $all: fc.array(textLiteral, { minLength: 1, maxLength: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ $elemMatch: textOperators }) },
  { weight: 1, arbitrary: fc.record({ $size: fc.nat({ max: 3 }) }) },
)
const byName = (key: fc.Arbitrary<string>, value = textLiteral) =>
  objectOf(key, value, 2).filter((o) => Object.keys(o).length > 0)
const headerName = fc.constantFrom('x-a', 'X-B', 'constructor')

const sources = {
  query: byName(name, parameterLiteral),
  params: byName(fc.constant('id')),
  headers: byName(headerName),
  cookies: byName(fc.constantFrom('a', 'b', '__proto__')),
  body: literal,
  variables: objectOf(dotted, literal),
  operationName: textLiteral,
}
/** Of one source most of the time: what names many fits next to nothing. */
export const goodWhen: fc.Arbitrary<When> = fc
  .tuple(
    fc.constantFrom(...parts('query¦params¦headers¦cookies¦body¦body¦body¦variables¦operationName')),
    fc.record(sources),
    fc.nat({ max: 3 }),
  )
  .map(([source, all, more]) =>
    Object.fromEntries(
      Object.entries(all).filter(([key], index) => key === source || (more === 0 && index % 3 === 0)),
    ),
  )

/** Operators where none belongs, operands of every kind: what a file may hold and no selector means. */
const { nonsense } = fc.letrec<{ nonsense: unknown }>((tie) => ({
  nonsense: fc.oneof(
    { maxDepth: 4 },
    json,
    fc.array(tie('nonsense'), { maxLength: 3 }),
    objectOf(fc.constantFrom(...operatorNames, '$where', '$type', '$', 'a', '__proto__'), tie('nonsense')),
  ),
}))
export const anyWhen = fc.dictionary(
  fc.constantFrom(
    ...parts('query¦params¦headers¦cookies¦body¦variables¦operationName¦operationType¦extensions¦x'),
  ),
  fc.oneof(nonsense, objectOf(dotted, nonsense)),
  { maxKeys: 3 },
)

const pairs = fc.array(fc.tuple(name, text), { maxLength: 3 })
export const request: fc.Arbitrary<RawRequest> = fc
  .record({
    isGraphQL: fc.boolean(),
    id: text.filter((value) => value !== ''),
    query: pairs,
    headers: fc.record({ 'x-a': text, 'x-b': text }, { requiredKeys: [] }),
    cookies: fc.array(fc.tuple(fc.constantFrom('a', 'b', '__proto__'), fc.constantFrom('1', '2', 'a')), {
      maxLength: 2,
    }),
    body: fc.oneof(
      { weight: 8, arbitrary: json.map((value) => JSON.stringify(value)) },
      {
        weight: 4,
        arbitrary: objectOf(fc.constantFrom('operationName', 'variables', 'query'), json).map((value) =>
          JSON.stringify(value),
        ),
      },
      { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
      { weight: 1, arbitrary: fc.constant(undefined) },
    ),
    type: fc.constantFrom('application/json', 'application/x-www-form-urlencoded', 'text/plain', ''),
  })
  .map(({ isGraphQL, id, query, headers, cookies, body, type }) => {
    const cookie = cookies.map(([key, value]) => `${key}=${value}`).join('; ')
    const path = isGraphQL ? '/graphql' : `/r/${encodeURIComponent(id)}`
    const search = new URLSearchParams(query).toString()
    return rawRequest({
      method: 'POST',
      path,
      search,
      headers: { ...headers, cookie, 'content-type': type },
      body,
    })
  })
