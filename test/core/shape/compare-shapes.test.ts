import { describe, expect, it } from 'vitest'
import { compareShapes, type Difference } from '../../../src/core/shape/compare-shapes.ts'
import { mergeShapes, shapeOf } from '../../../src/core/shape/shape.ts'

/* The usual changes of an API are in test/backend/compare/check-against.test.ts, which finds and places each in fixture files. */

const time = '2026-11-28T10:00:00Z'
const uuid = '123e4567-e89b-42d3-a456-426614174000'
const user = { id: 1, name: 'Ada', address: { city: 'Graz', zip: '8010' }, tags: ['a', 'b'], at: time }
const geometry = (...coordinates: unknown[]) => ({ geometry: { type: 'Point', coordinates } })
const enumOf = (...states: string[]) => states.map((state) => ({ state }))
const people = (...names: string[]) => names.map((name) => ({ name }))

const optional = ({ isOptional }: { isOptional: boolean }) => (isOptional ? ' optional' : '')
function shown(difference: Difference): string {
  switch (difference.kind) {
    case 'key-gone':
      return `key-gone${optional(difference)}${difference.renamedTo ? ` → ${difference.renamedTo}` : ''}`
    case 'key-new':
      return `key-new${optional(difference)} ${difference.types.join()}`
    case 'type':
    case 'format':
      return `${difference.kind} ${String(difference.ours)} → ${String(difference.theirs)}`
    case 'word':
    case 'member':
      return `${difference.kind} ${difference.words.join()}`
    default:
      return difference.kind
  }
}

/** What differs, and after a question mark what can not be compared. */
function compare(ours: unknown[], theirs: unknown[], isOpen = ''): string {
  const isAsked = (path: readonly unknown[]) => path.join('.') === isOpen
  const [own, real] = [
    mergeShapes(ours.map((one) => shapeOf(one, isAsked))),
    mergeShapes(theirs.map((one) => shapeOf(one))),
  ]
  const { differences, unknown } = compareShapes(own, real)
  const pathOf = (path: readonly (string | number)[]) =>
    path.map((key) => (typeof key === 'number' ? '*' : key)).join('.')
  const found = [
    ...differences.map((one) => `${pathOf(one.path)} ${shown(one)}`),
    ...unknown.map(({ path, why }) => `${pathOf(path)} ? ${why}`),
  ]
  return found.sort().join('; ')
}

type Row = [what: string, ours: unknown, theirs: unknown, found: string, open?: string]

describe('what differs', () => {
  it.each<Row>([
    [
      'keys are renamed by another habit',
      { userId: 1, userName: 'a', n: 1 },
      { user_id: 1, user_name: 'b', n: 2 },
      'userId key-gone → user_id; userName key-gone → user_name',
    ],
    [
      'two of a type are gone, and two are new',
      { a: 'x y', b: 'x y', n: 1 },
      { one: 'p q', two: 'p q', n: 1 },
      'a key-gone; b key-gone; one key-new text; two key-new text',
    ],
    ['a key that only some answers have', [{ a: 1, b: 1 }], [{ a: 1, b: 2 }, { a: 3 }], '*.b key-optional'],
    ['null where no fixture has null', [user], [user, { ...user, name: null }], '*.name null'],
    ['an enum in capitals', enumOf('open', 'paid', 'open'), enumOf('OPEN'), '*.state word OPEN'],
    [
      'a key of one member',
      [
        { __typename: 'Cat', lives: 9 },
        { __typename: 'Dog', bark: true },
      ],
      [{ __typename: 'Cat', lives: '9' }],
      '*.lives type number → text',
    ],
    ['a key of one of several kinds', [{ kind: 'a', x: 1 }], [{ kind: 'a' }], '*.x key-gone'],
    ['values of a map', { '2026-01-01': 1, '2026-01-02': 2 }, { '2026-02-01': '1' }, '* type number → text'],
    [
      'names that the prototype has',
      JSON.parse('{"__proto__":1,"constructor":1}'),
      {},
      '__proto__ key-gone; constructor key-gone',
    ],
    ['fields with names of two letters', { to: 'a b', cc: 'c d' }, { to: 'a b' }, 'cc key-gone'],
    ['two letters in front', { is_new: true, has_more: false }, { is_new: true }, 'has_more key-gone'],
    [
      'one of two objects of a kind has a similar name',
      { billing: { street: 'a b' }, shipping: { street: 'a b' } },
      { billing: { street: 'a b' }, shippingAddress: { street: 'a b' } },
      'shipping key-gone → shippingAddress',
    ],
    [
      'an object without a key in common has another name',
      { billing: { street: 'a b' } },
      { payment: { iban: 'a b' } },
      'billing key-gone; payment key-new object',
    ],
    ['a value of a member of a union', geometry(1, 2), geometry('1', '2'), 'geometry.coordinates.* type number → text'],
    [
      'the key of the pages has another name',
      { next_cursor: 'a b' },
      { nextCursor: null },
      'next_cursor key-gone → nextCursor',
    ],
  ])('%s', (_, ours, theirs, found) => {
    expect(compare([ours], [theirs])).toBe(found)
  }) // prettier-ignore

  it('a key that only one of two fixtures has', () => {
    expect(compare([{ a: 1, b: 1 }, { a: 1 }], [{ a: 1 }])).toBe('b key-gone optional')
  })

  it('a new key, of several types', () => {
    const found = 'a key-gone; b key-new number,text,null'
    expect(compare([{ a: 1 }], [{ b: 1 }, { b: 'x' }, { b: null }])).toBe(found)
  })
})

describe('what does not', () => {
  it.each<Row>([
    [
      'other values, keys and items in another order',
      user,
      { at: '2025-01-01T00:00:00+02:00', tags: ['c'], address: { zip: '1', city: 'Wien' }, name: 'B', id: 7 },
      '',
    ],
    ['fractions of a second, and a time zone', { at: time }, { at: '2026-11-28T11:00:00.123+01:00' }, ''],
    ['ids of another kind than words', { id: 'a1' }, { id: uuid }, ''],
    ['one null where fixtures have null', [{ a: null }, { a: 1 }], [{ a: null }], '*.a ? null'],
    ['names of people, some repeated', people('Ada', 'Bob', 'Ada'), people('Carol', 'Dan', 'Carol'), ''],
    ['a constant', { object: 'user' }, { object: 'person' }, ''],
    ['too many words', ['open', 'paid', 'open'], Array.from({ length: 30 }, (_, index) => `open${'a'.repeat(index)}`), ''],
    ['an empty list', { tags: ['a'] }, { tags: [] }, 'tags.* ? empty'],
    ['an empty list in the fixture', { tags: [] }, { tags: [1] }, 'tags ? empty'],
    ['always null in fixtures', { a: null }, { a: 'x' }, 'a ? null'],
    ['an empty text', { at: time }, { at: '' }, ''],
    ['a value of the request', { id: 'x' }, { id: 5 }, 'id ? request', 'id'],
    ['a map with other ids', { u1: { n: 1 }, u2: { n: 2 } }, { u3: { n: 1 }, u4: { n: 2 }, u5: { n: 3 } }, ''],
    ['a map with fewer of the same', { EUR: 1, USD: 2 }, { EUR: 3 }, ''],
    [
      'a map of records without codes',
      { alice: { n: 1 }, bob: { n: 2 } },
      { carol: { n: 1 }, dave: { n: 2, m: 1 } },
      '*.m key-new optional number',
    ],
    ['a map that varies', [{ red: 1, blue: 2 }, { green: 1 }], [{ black: 1 }, { white: 2 }], ''],
    ['only one member', { type: 'card', last4: '1' }, { type: 'bank', iban: 'b' }, 'type member bank'],
    [
      'data that an application stores with an object',
      { metadata: { order_id: '6735' } },
      { metadata: { seat: 'x', plan: 'y' } },
      '',
    ],
    ['no data that is stored so', { labels: { order: 'x' } }, { labels: {} }, 'labels.* ? empty'],
    ['other feature flags', { flags: { newCheckout: true, dark: false } }, { flags: { dark: true } }, ''],
    ['errors of other fields', { errors: { email: ['bad'] } }, { errors: { password: ['short'] } }, ''],
    [
      'links of another page',
      { _links: { self: { href: '/a' }, next: { href: '/b' } } },
      { _links: { self: { href: '/c' }, prev: { href: '/b' } } },
      '',
    ],
    [
      'the last page',
      { next: 'https://a.example/2', info: { endCursor: 'x', nextPageToken: 'y' } },
      { next: null, info: { endCursor: null, nextPageToken: null } },
      'info.endCursor ? null; info.nextPageToken ? null; next ? null',
    ],
    ['records with ids of letters', { m: { VSstGXRZ: { t: 'a' }, xQzabZkq: { t: 'b' } } }, { m: { kJdaZqxx: { t: 'c' } } }, ''],
    [
      'some records are the same',
      { c: { Austria: { pop: 9 }, Germany: { pop: 83 } } },
      { c: { Austria: { pop: 9 }, France: { pop: 70 } } },
      '',
    ],
    [
      'keys with a character that names do not have',
      { a: { 'app.example/name': 'x', app: 'y' } },
      { a: { 'app.example/part': 'x', tier: 'y' } },
      '',
    ],
    [
      'members of a union with the same keys',
      [{ type: 'Point', coordinates: [1.5, 2] }],
      [{ type: 'LineString', coordinates: [[1.5, 2]] }],
      '*.type member LineString',
    ],
    [
      'members of a union with other attributes',
      [{ type: 'people', attributes: { name: 'x y' } }],
      [{ type: 'comments', attributes: { body: 'x y' } }],
      '*.type member comments',
    ],
    ['a title that is a date', { title: '2026-11-28' }, { title: 'Hello you' }, ''],
    ['a picture inside', { img: 'https://a.example/1' }, { img: 'data:image/png;base64,AAAA' }, ''],
    ['an address with a space', { img: 'https://a.example/1' }, { img: 'https://a.example/my image' }, ''],
    ['an e-mail address of this computer', { to: 'a@b.example' }, { to: 'root@localhost' }, ''],
    ['the hours of a time zone', { at: time }, { at: '2026-11-28 10:00:00+05' }, ''],
  ])('%s', (_, ours, theirs, found, open) => {
    expect(compare([ours], [theirs], open)).toBe(found)
  }) // prettier-ignore
})
