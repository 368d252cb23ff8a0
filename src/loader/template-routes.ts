import type { Route } from '../core/fixture/route.ts'

/* Written by scripts/templates.ts from the files in fixtures/, which each build does first. */

export const templateRoutes: readonly Route[] = [
  {
    name: 'hero',
    method: ['POST'],
    path: '/graphql',
    response: {
      body: {
        data: {
          hero: {
            name: 'R2-D2',
            heroFriends: [
              { id: '1000', name: 'Luke Skywalker' },
              { id: '1002', name: 'Han Solo' },
              { id: '1003', name: 'Leia Organa' },
            ],
          },
        },
      },
    },
    source: { file: 'graphql.yaml', line: 6, column: 3, pointer: '/0' },
  },
  {
    name: 'failing query',
    method: ['POST'],
    path: '/graphql',
    selector: {
      equalities: [
        {
          field: { source: 'operationName', path: [], id: 'operationName', isSecret: false },
          value: 'FailingQuery',
        },
      ],
      tests: [],
    },
    response: {
      body: {
        errors: [
          {
            message: 'Name for character with ID 1002 could not be fetched.',
            path: ['hero', 'heroFriends', 1, 'name'],
          },
        ],
        data: {
          hero: {
            name: 'R2-D2',
            heroFriends: [
              { id: '1000', name: 'Luke Skywalker' },
              { id: '1002', name: null },
              { id: '1003', name: 'Leia Organa' },
            ],
          },
        },
      },
    },
    source: { file: 'graphql.yaml', line: 21, column: 3, pointer: '/1' },
  },
  {
    name: 'items',
    path: '/items',
    response: {},
    paging: {
      style: 'page',
      items: [
        { id: 1, name: 'Item 1' },
        { id: 2, name: 'Item 2' },
        { id: 3, name: 'Item 3' },
        { id: 4, name: 'Item 4' },
        { id: 5, name: 'Item 5' },
        { id: 6, name: 'Item 6' },
        { id: 7, name: 'Item 7' },
        { id: 8, name: 'Item 8' },
      ],
      perPage: 3,
      parameters: {},
      envelope: {},
      firstPage: 1,
      outOfRange: 'default',
      malformed: 'default',
      field: ['items'],
    },
    source: { file: 'items.yaml', line: 6, column: 3, pointer: '/0' },
  },
]
