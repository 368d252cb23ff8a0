import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findMisfit, ignoreRejections, snapshot } from '../../../src/core/values/json-value.ts'

class Empty {
  #hidden = 1
  get hidden() {
    return this.#hidden
  }
}
class Item {
  id = 7
}
class Priced {
  toJSON() {
    return { price: 1 }
  }
}

describe('findMisfit', () => {
  it.each<[value: unknown, path: string, what: string]>([
    [new Map(), 'body', 'a Map'],
    [{ items: [1, { when: new Map() }] }, 'body.items[1].when', 'a Map'],
    [{ a: new Set() }, 'body.a', 'a Set'],
    [[new WeakMap()], 'body[0]', 'a WeakMap'],
    [{ a: /x/ }, 'body.a', 'a RegExp'],
    [{ a: new TypeError('oh') }, 'body.a', 'an Error'],
    [{ a: Object.assign(new Error('oh'), { code: 'E' }) }, 'body.a', 'an Error'],
    [{ a: Promise.resolve(1) }, 'body.a', 'a promise (an "await" is missing)'],
    [{ 'a b': { "it's": () => 1 } }, 'body["a b"]["it\'s"]', 'a function'],
    [{ a: Symbol('s') }, 'body.a', 'a symbol'],
    [{ a: class {} }, 'body.a', 'a function'],
    [{ a: new Uint8Array(2) }, 'body.a', 'a Uint8Array'],
    [{ a: new ArrayBuffer(2) }, 'body.a', 'an ArrayBuffer without fields that JSON could hold'],
    [{ a: new Response('x') }, 'body.a', 'a Response without fields that JSON could hold'],
    [{ a: new URLSearchParams('a=1') }, 'body.a', 'a URLSearchParams without fields that JSON could hold'],
    [{ a: new Empty() }, 'body.a', 'an Empty without fields that JSON could hold'],
    [{ a: Object.create({ b: 1 }) as object }, 'body.a', 'an Object without fields that JSON could hold'],
    [(function* () {})(), 'body', 'a Generator without fields that JSON could hold'],
  ])('%o: %s is %s', (value, path, what) => {
    expect(findMisfit(value, 'body')).toEqual({ path, what })
  })

  const shared = { a: 1 }
  const circle: Record<string, unknown> = { a: 1 }
  circle['self'] = circle

  it.each<[name: string, value: unknown]>([
    ['nothing', undefined],
    ['a date', { a: new Date(0) }],
    ['a URL', [new URL('http://a/')]],
    ['a Buffer inside', { a: Buffer.from('x') }],
    ['what has a toJSON', { a: new Priced() }],
    ['fields of a class', { a: new Item() }],
    ['an object without a prototype', Object.assign(Object.create(null) as object, { a: 1 })],
    ['what is empty', [{}, [], '', null, Object.create(null)]],
    ['what becomes null', [NaN, Infinity, undefined]],
    ['boxes', { a: new Number(1), b: new String('x'), c: new Boolean(false) }],
    ['the same object twice', [shared, shared]],
    ['a circle, which JSON refuses by itself', circle],
    ['a BigInt, which JSON refuses by itself', { a: 1n }],
  ])('accepts %s', (_, value) => {
    expect(findMisfit(value, 'body')).toBeUndefined()
  })
})

describe('snapshot', () => {
  it('is a deep copy of lists and plain objects', () => {
    const original = {
      list: [{ a: 1 }],
      respond: () => 1,
      map: new Map(),
      item: new Item(),
      date: new Date(0),
    }
    const copy = snapshot(original)
    expect(copy).toEqual(original)
    expect(copy.list[0]).not.toBe(original.list[0])
    for (const key of ['respond', 'map', 'item', 'date'] as const) expect(copy[key]).toBe(original[key])
    original.list[0]!.a = 2
    expect(copy.list[0]!.a).toBe(1)
  })

  it('keeps circular references, trailing holes, and names such as __proto__', () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    const copy = snapshot(circle)
    expect(copy.self).toBe(copy)
    const list: unknown[] = [1]
    list.length = 3
    expect(snapshot(list)).toHaveLength(3)
    const named = snapshot(JSON.parse('{"__proto__":{"a":1}}') as object)
    expect([Object.keys(named), Object.getPrototypeOf(named)]).toEqual([['__proto__'], Object.prototype])
  })

  it('has the same JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.stringify(snapshot(value))).toBe(JSON.stringify(value))
      }),
    )
  })
})

it('ignoreRejections handles rejections at any depth, and hostile objects', async () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  const reject = () => Promise.reject(new Error('oh'))
  const hostile = new Proxy({}, { ownKeys: () => { throw new Error('no') } }) // prettier-ignore
  const circle: unknown[] = []
  circle.push(circle, hostile, reject())
  ignoreRejections({
    a: reject(),
    b: [reject(), { c: new Map([[1, reject()]]) }],
    d: new Set([reject()]),
    circle,
  })
  await new Promise(setImmediate) // where Node would report them
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})
