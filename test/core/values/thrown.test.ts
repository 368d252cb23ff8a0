import { expect, it } from 'vitest'
import { describeThrown } from '../../../src/core/values/thrown.ts'

const no = () => { throw new Error('no') } // prettier-ignore
const hostile = new Proxy({}, { get: no, getPrototypeOf: no, has: no, ownKeys: no })

it.each<[name: string, thrown: unknown, text: string]>([
  ['an error', new RangeError('oh'), 'RangeError: oh'],
  ['a text', 'oh', 'it threw the string "oh"'],
  ['nothing', undefined, 'it threw nothing'],
  ['null', null, 'it threw null'],
  ['an object', { a: 1 }, 'it threw an object'],
  ['a symbol', Symbol('s'), 'it threw the symbol Symbol(s)'],
  ['an error whose message throws', Object.defineProperty(new Error(), 'message', { get: no }), 'it threw something that throws when it is looked at'],
  ['an error whose name is a symbol', Object.assign(new Error('oh'), { name: Symbol('n') }), 'it threw something that throws when it is looked at'],
  ['a proxy that throws', hostile, 'it threw something that throws when it is looked at'],
])('describes %s', (_, thrown, text) => {
  expect(describeThrown(thrown)).toBe(text)
}) // prettier-ignore
