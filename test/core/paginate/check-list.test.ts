import { expect, it } from 'vitest'
import { checkList } from '../../../src/core/paginate/check-list.ts'
import type { FixtureRoute } from '../../../src/core/schema/schema.ts'

type List = Partial<NonNullable<FixtureRoute['paginate']>>

const check = (list: List) =>
  checkList({ items: [], ...list }, (path, target = 'value') => ({ pointer: path.join('/'), file: target }))

it.each<List>([
  {},
  { perPage: 5, maxPerPage: 5 },
  { perPage: 500, style: 'offset' },
  { parameters: { page: 'p', per_page: 'size' }, maxPerPage: 50 },
  { style: 'cursor', parameters: { cursor: 'after' } },
  { envelope: { data: 'results', total: false } },
  { envelope: { data: 'total', total: false } },
  { envelope: { data: 'total', total: 'data' } },
  { style: 'relay', field: 'hero.friends', malformed: 'default', envelope: { totalCount: false } },
  { style: 'link', outOfRange: 'error', firstPage: 0 },
  { envelope: { total: 'meta.total', page: 'meta.page', next_url: 'links.next', data: 'meta_data' } },
  { envelope: { has_more: false, next_page: 'has_more', is_last: 'last', is_first: 'first' } },
  { style: 'cursor', cursor: 'id', envelope: { prev_cursor: 'prev', total: 'total' } },
  { style: 'offset', envelope: { next_offset: 'next', last_url: 'last', total_pages: 'pages' } },
  { style: 'relay', cursor: 'id', typeName: 'OrderConnection', envelope: { nodes: 'nodes' } },
])('%j is right', (list) => {
  expect(check(list)).toEqual([])
})

it.each<[list: List, code: string, at: [pointer: string, target: string], text: RegExp]>([
  [{ envelope: { items: 'data' } }, 'fixture-unknown-key', ['envelope/items', 'key'], /Known keys: page, per_page, total, total_pages, has_more, data/],
  [{ envelope: { totl: 'count' } }, 'fixture-unknown-key', ['envelope/totl', 'key'], /Did you mean "total"/],
  [{ style: 'offset', envelope: { page: 'p' } }, 'fixture-unknown-key', ['envelope/page', 'key'], /Known keys: offset, limit/],
  [{ envelope: { next_cursor: 'next' } }, 'fixture-unknown-key', ['envelope/next_cursor', 'key'], /next_page, next_url/],
  [{ envelope: { page: 'meta', total: 'meta.total' } }, 'paginate-name-taken', ['envelope/total', 'value'], /"page" and "total" have the same name: "meta.total"/],
  [{ envelope: { page: 'meta.page', total: 'meta' } }, 'paginate-name-taken', ['envelope/total', 'value'], /"page" and "total"/],
  [{ envelope: { next_url: 'data.next' } }, 'paginate-name-taken', ['envelope/next_url', 'value'], /"data" and "next_url"/],
  [{ style: 'offset', firstPage: 0 }, 'paginate-key-unused', ['firstPage', 'key'], /no numbers/],
  [{ style: 'relay', firstPage: 0 }, 'paginate-key-unused', ['firstPage', 'key'], /no numbers/],
  [{ cursor: 'id' }, 'paginate-key-unused', ['cursor', 'key'], /have numbers/],
  [{ style: 'offset', cursor: 'id' }, 'paginate-key-unused', ['cursor', 'key'], /reads a number/],
  [{ typeName: 'A' }, 'paginate-key-unused', ['typeName', 'key'], /not for GraphQL/],
  [{ envelope: { data: 'total' } }, 'paginate-name-taken', ['envelope/data', 'value'], /"total" and "data" have the same name: "total"/],
  [{ envelope: { page: 'x', total: 'x' } }, 'paginate-name-taken', ['envelope/total', 'value'], /"page" and "total"/],
  [{ parameters: { page: 'per_page' } }, 'paginate-name-taken', ['parameters/page', 'value'], /"per_page"/],
  [{ parameters: { offset: 'o' } }, 'fixture-unknown-key', ['parameters/offset', 'key'], /Known keys: page, per_page/],
  [{ style: 'cursor', parameters: { page: 'p' } }, 'fixture-unknown-key', ['parameters/page', 'key'], /Known keys: cursor, limit/],
  [{ perPage: 10, maxPerPage: 5 }, 'paginate-max-below-default', ['maxPerPage', 'value'], /"maxPerPage" \(5\) is below "perPage" \(10\)/],
  [{ maxPerPage: 5 }, 'paginate-max-below-default', ['maxPerPage', 'value'], /Its default is 20/],
  [{ style: 'relay', outOfRange: 'error' }, 'paginate-key-unused', ['outOfRange', 'key'], /has no effect with the style "relay"/],
  [{ style: 'relay', parameters: { page: 'p' } }, 'paginate-key-unused', ['parameters', 'key'], /arguments of the field/],
  [{ style: 'link', envelope: { data: 'x' } }, 'paginate-key-unused', ['envelope', 'key'], /items alone/],
  [{ field: 'hero.friends' }, 'paginate-key-unused', ['field', 'key'], /not for GraphQL/],
])('%j: %s at %j', (list, code, [pointer, file], text) => {
  const [diagnostic, ...others] = check(list)
  expect(others).toEqual([])
  expect(diagnostic).toMatchObject({ code, severity: 'error', pointer, file })
  expect(`${diagnostic!.message} ${diagnostic!.fix}`).toMatch(text)
}) // prettier-ignore
