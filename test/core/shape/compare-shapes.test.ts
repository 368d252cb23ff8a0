import { describe, expect, it } from 'vitest'
import { compareShapes } from '../../../src/core/shape/compare-shapes.ts'
import { mergeShapes, shapeOf } from '../../../src/core/shape/shape.ts'

const day = '2026-11-28'
const time = '2026-11-28T10:00:00Z'
const uuid = '123e4567-e89b-42d3-a456-426614174000'
const user = { id: 1, name: 'Ada', address: { city: 'Graz', zip: '8010' }, tags: ['a', 'b'], at: time }

function compare(ours: unknown[], theirs: unknown[], isOpen = ''): string[] {
  const isAsked = (path: readonly unknown[]) => path.join('.') === isOpen
  const [own, real] = [
    mergeShapes(ours.map((one) => shapeOf(one, isAsked))),
    mergeShapes(theirs.map((one) => shapeOf(one))),
  ]
  const { differences, unknown } = compareShapes(own, real)
  const pathOf = (path: readonly (string | number)[]) =>
    path.map((key) => (typeof key === 'number' ? '*' : key)).join('.')
  return [
    ...differences.map(({ path, kind, ...rest }) => `${pathOf(path)} ${kind} ${JSON.stringify(rest)}`),
    ...unknown.map(({ path, why }) => `${pathOf(path)} ? ${why}`),
  ].sort()
}

type Row = [what: string, ours: unknown[], theirs: unknown[], found: string[], open?: string]

describe('what differs', () => {
  it.each<Row>([
    [
      'a key is gone',
      [user],
      [{ ...user, name: undefined }].map(withoutUndefined),
      ['name key-gone {"isOptional":false}'],
    ],
    [
      'a key deep inside is gone',
      [user],
      [{ ...user, address: { city: 'Wien' } }],
      ['address.zip key-gone {"isOptional":false}'],
    ],
    [
      'a key is renamed, alone with its type',
      [user],
      [{ ...user, address: { city: 'Wien', postalCode: '1010' } }],
      ['address.zip key-gone {"isOptional":false,"renamedTo":"postalCode"}'],
    ],
    [
      'keys are renamed by another habit',
      [{ userId: 1, userName: 'a', n: 1 }],
      [{ user_id: 1, user_name: 'b', n: 2 }],
      [
        'userId key-gone {"isOptional":false,"renamedTo":"user_id"}',
        'userName key-gone {"isOptional":false,"renamedTo":"user_name"}',
      ],
    ],
    [
      'two of a type are gone, and two are new',
      [{ a: 'x y', b: 'x y', n: 1 }],
      [{ one: 'p q', two: 'p q', n: 1 }],
      [
        'a key-gone {"isOptional":false}',
        'b key-gone {"isOptional":false}',
        'one key-new {"isOptional":false,"types":["text"]}',
        'two key-new {"isOptional":false,"types":["text"]}',
      ],
    ],
    [
      'a key in the items of a list',
      [[user, user]],
      [[{ ...user, id: 'a-1' }]],
      ['*.id type {"ours":["number"],"theirs":["text"]}'],
    ],
    [
      'a key that not every fixture has',
      [{ a: 1, b: 1 }, { a: 1 }],
      [{ a: 1 }],
      ['b key-gone {"isOptional":true}'],
    ],
    [
      'a key that only some answers have',
      [[{ a: 1, b: 1 }]],
      [[{ a: 1, b: 2 }, { a: 3 }]],
      ['*.b key-optional {}'],
    ],
    [
      'a new key, of several types',
      [{ a: 1 }],
      [{ b: 1 }, { b: 'x' }, { b: null }],
      ['a key-gone {"isOptional":false}', 'b key-new {"isOptional":false,"types":["number","text","null"]}'],
    ],
    ['a key is new', [{ a: 1 }], [{ a: 1, b: [1] }], ['b key-new {"isOptional":false,"types":["list"]}']],
    [
      'a number and the text of it',
      [{ a: 1 }],
      [{ a: '1' }],
      ['a type {"ours":["number"],"theirs":["text"]}'],
    ],
    ['true and 1', [{ a: true }], [{ a: 1 }], ['a type {"ours":["boolean"],"theirs":["number"]}']],
    ['a list and an envelope', [[user]], [{ data: [user] }], [' type {"ours":["list"],"theirs":["object"]}']],
    ['null where no fixture has null', [[user]], [[user, { ...user, name: null }]], ['*.name null {}']],
    ['always null', [user], [{ ...user, name: null }], ['name null {}', 'name ? null'].slice(0, 1)],
    ['a date with a time', [{ at: day }], [{ at: time }], ['at format {"ours":"date","theirs":"date-time"}']],
    ['a date as people write it', [{ at: day }], [{ at: '28.11.2026' }], ['at format {"ours":"date"}']],
    [
      'a UUID becomes another id',
      [[{ id: uuid }]],
      [[{ id: 'usr_1' }, { id: 'usr_2' }]],
      ['*.id format {"ours":"uuid"}'],
    ],
    [
      'an address becomes a path',
      [{ url: 'https://a.example/1' }],
      [{ url: '/1' }],
      ['url format {"ours":"url"}'],
    ],
    [
      'a word of an enum',
      [['open', 'paid', 'open'].map((state) => ({ state }))],
      [[{ state: 'paid' }, { state: 'refunded' }]],
      ['*.state word {"words":["refunded"]}'],
    ],
    [
      'an enum in capitals',
      [['open', 'paid', 'open'].map((state) => ({ state }))],
      [[{ state: 'OPEN' }]],
      ['*.state word {"words":["OPEN"]}'],
    ],
    [
      'a member of a union',
      [
        [
          { type: 'card', last4: '1' },
          { type: 'bank', iban: 'a' },
        ],
      ],
      [
        [
          { type: 'card', last4: '2' },
          { type: 'cash', till: 3 },
        ],
      ],
      ['*.type member {"words":["cash"]}'],
    ],
    [
      'a key of one member',
      [
        [
          { __typename: 'Cat', lives: 9 },
          { __typename: 'Dog', bark: true },
        ],
      ],
      [[{ __typename: 'Cat', lives: '9' }]],
      ['*.lives type {"ours":["number"],"theirs":["text"]}'],
    ],
    [
      'a key of one of several kinds',
      [[{ kind: 'a', x: 1 }]],
      [[{ kind: 'a' }]],
      ['*.x key-gone {"isOptional":false}'],
    ],
    [
      'the values of a map',
      [{ '2026-01-01': 1, '2026-01-02': 2 }],
      [{ '2026-02-01': '1' }],
      ['* type {"ours":["number"],"theirs":["text"]}'],
    ],
    ['the records of a map', [{ a1: { n: 1 }, a2: { n: 2 } }], [{ b1: { n: null } }], ['*.n null {}']],
    [
      'names that the prototype has',
      [JSON.parse('{"__proto__":1,"constructor":1}')],
      [{}],
      ['__proto__ key-gone {"isOptional":false}', 'constructor key-gone {"isOptional":false}'],
    ],
    [
      'fields with names of two letters',
      [{ to: 'a b', cc: 'c d' }],
      [{ to: 'a b' }],
      ['cc key-gone {"isOptional":false}'],
    ],
    [
      'fields with a word of two letters in front',
      [{ is_new: true, has_more: false }],
      [{ is_new: true }],
      ['has_more key-gone {"isOptional":false}'],
    ],
    [
      'one of two objects of a kind has a similar name',
      [{ billing: { street: 'a b' }, shipping: { street: 'a b' } }],
      [{ billing: { street: 'a b' }, shippingAddress: { street: 'a b' } }],
      ['shipping key-gone {"isOptional":false,"renamedTo":"shippingAddress"}'],
    ],
    [
      'an object without a key in common has another name',
      [{ billing: { street: 'a b' } }],
      [{ payment: { iban: 'a b' } }],
      ['billing key-gone {"isOptional":false}', 'payment key-new {"isOptional":false,"types":["object"]}'],
    ],
    [
      'a value of a member of a union',
      [{ geometry: { type: 'Point', coordinates: [1, 2] } }],
      [{ geometry: { type: 'Point', coordinates: ['1', '2'] } }],
      ['geometry.coordinates.* type {"ours":["number"],"theirs":["text"]}'],
    ],
    [
      'the key of the pages has another name',
      [{ next_cursor: 'a b' }],
      [{ nextCursor: null }],
      ['next_cursor key-gone {"isOptional":false,"renamedTo":"nextCursor"}'],
    ],
  ])('%s', (_, ours, theirs, found) => {
    expect(compare(ours, theirs)).toEqual(found)
  })
})

describe('what does not', () => {
  it.each<Row>([
    [
      'other values, keys and items in another order',
      [user],
      [
        {
          at: '2025-01-01T00:00:00+02:00',
          tags: ['c'],
          address: { zip: '1010', city: 'Wien' },
          name: 'Bob',
          id: 700,
        },
      ],
      [],
    ],
    ['an integer and a fraction', [{ price: 9 }], [{ price: 9.5 }], []],
    ['digits and letters', [{ zip: '8010' }], [{ zip: 'A-8010' }], []],
    ['time zones and fractions of a second', [{ at: time }], [{ at: '2026-11-28T11:00:00.123+01:00' }], []],
    ['ids of another kind than words', [{ id: 'a1' }], [{ id: uuid }], []],
    ['one null where fixtures have null', [[{ a: null }, { a: 1 }]], [[{ a: null }]], ['*.a ? null']],
    ['an optional key', [[{ a: 1, b: 1 }, { a: 1 }]], [[{ a: 1 }, { a: 2, b: 3 }]], []],
    [
      'names of people, some repeated',
      [['Ada', 'Bob', 'Ada'].map((name) => ({ name }))],
      [['Carol', 'Dan', 'Carol'].map((name) => ({ name }))],
      [],
    ],
    ['a constant', [{ object: 'user' }], [{ object: 'person' }], []],
    [
      'too many words',
      [['open', 'paid', 'open']],
      [Array.from({ length: 30 }, (_, index) => `open${'a'.repeat(index)}`)],
      [],
    ],
    ['an empty list', [{ tags: ['a'] }], [{ tags: [] }], ['tags.* ? empty']],
    ['an empty list in the fixture', [{ tags: [] }], [{ tags: [1] }], ['tags ? empty']],
    ['always null in fixtures', [{ a: null }], [{ a: 'x' }], ['a ? null']],
    ['an empty text', [{ at: time }], [{ at: '' }], []],
    ['a value of the request', [{ id: 'x' }], [{ id: 5 }], ['id ? request'], 'id'],
    [
      'a map with other ids',
      [{ u1: { n: 1 }, u2: { n: 2 } }],
      [{ u3: { n: 1 }, u4: { n: 2 }, u5: { n: 3 } }],
      [],
    ],
    ['a map with fewer languages', [{ de: 'ja', en: 'yes' }], [{ fr: 'oui' }], []],
    ['a map with fewer of the same', [{ EUR: 1, USD: 2 }], [{ EUR: 3 }], []],
    [
      'a map of records without codes',
      [{ alice: { n: 1 }, bob: { n: 2 } }],
      [{ carol: { n: 1 }, dave: { n: 2, m: 1 } }],
      ['*.m key-new {"isOptional":true,"types":["number"]}'],
    ],
    ['a map that varies', [[{ red: 1, blue: 2 }, { green: 1 }]], [[{ black: 1 }, { white: 2 }]], []],
    [
      'other members of a union first',
      [
        [
          { type: 'card', last4: '1' },
          { type: 'bank', iban: 'a' },
        ],
      ],
      [[{ type: 'bank', iban: 'b' }]],
      [],
    ],
    [
      'only one member',
      [{ type: 'card', last4: '1' }],
      [{ type: 'bank', iban: 'b' }],
      ['type member {"words":["bank"]}'],
    ],
    [
      'data that an application stores with an object',
      [{ metadata: { order_id: '6735' } }],
      [{ metadata: { seat: 'x', plan: 'y' } }],
      [],
    ],
    [
      'no data that an application stores',
      [{ labels: { order: 'x' } }],
      [{ labels: {} }],
      ['labels.* ? empty'],
    ],
    ['other feature flags', [{ flags: { newCheckout: true, dark: false } }], [{ flags: { dark: true } }], []],
    ['errors of other fields', [{ errors: { email: ['bad'] } }], [{ errors: { password: ['short'] } }], []],
    [
      'links of another page',
      [{ _links: { self: { href: '/a' }, next: { href: '/b' } } }],
      [{ _links: { self: { href: '/c' }, prev: { href: '/b' } } }],
      [],
    ],
    [
      'the last page',
      [{ next: 'https://a.example/2', info: { endCursor: 'x', nextPageToken: 'y' } }],
      [{ next: null, info: { endCursor: null, nextPageToken: null } }],
      ['info.endCursor ? null', 'info.nextPageToken ? null', 'next ? null'],
    ],
    [
      'records with ids of letters',
      [{ m: { VSstGXRZ: { t: 'a' }, xQzabZkq: { t: 'b' } } }],
      [{ m: { kJdaZqxx: { t: 'c' } } }],
      [],
    ],
    [
      'some records are the same',
      [{ c: { Austria: { pop: 9 }, Germany: { pop: 83 } } }],
      [{ c: { Austria: { pop: 9 }, France: { pop: 70 } } }],
      [],
    ],
    [
      'keys with a character that names do not have',
      [{ a: { 'app.example/name': 'x', app: 'y' } }],
      [{ a: { 'app.example/part': 'x', tier: 'y' } }],
      [],
    ],
    [
      'members of a union with the same keys',
      [[{ type: 'Point', coordinates: [1.5, 2] }]],
      [[{ type: 'LineString', coordinates: [[1.5, 2]] }]],
      ['*.type member {"words":["LineString"]}'],
    ],
    [
      'members of a union with other attributes',
      [[{ type: 'people', attributes: { name: 'x y' } }]],
      [[{ type: 'comments', attributes: { body: 'x y' } }]],
      ['*.type member {"words":["comments"]}'],
    ],
    ['a title that is a date', [{ title: day }], [{ title: 'Hello you' }], []],
    [
      'a picture inside the answer',
      [{ img: 'https://a.example/1' }],
      [{ img: 'data:image/png;base64,AAAA' }],
      [],
    ],
    [
      'an address with a space',
      [{ img: 'https://a.example/1' }],
      [{ img: 'https://a.example/my image' }],
      [],
    ],
    ['an e-mail address of this computer', [{ to: 'a@b.example' }], [{ to: 'root@localhost' }], []],
    ['the hours of a time zone', [{ at: time }], [{ at: '2026-11-28 10:00:00+05' }], []],
  ])('%s', (_, ours, theirs, found, open) => {
    expect(compare(ours, theirs, open)).toEqual(found)
  })
})

/** As JSON is sent. */
function withoutUndefined(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
