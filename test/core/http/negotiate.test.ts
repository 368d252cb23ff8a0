import { expect, it } from 'vitest'
import { negotiate } from '../../../src/core/http/negotiate.ts'

const json = 'application/json'
const graphql = 'application/graphql-response+json'

it.each<[accept: string | string[] | undefined, type: string | undefined]>([
  [undefined, json],
  ['', json],
  ['*/*', json],
  ['application/*', json],
  [json, json],
  ['application/json; charset=utf-8', json],
  [graphql, graphql],
  [graphql.toUpperCase(), graphql],
  ['application/graphql-response+json; charset=utf-8, application/json; charset=utf-8', graphql],
  ['application/json, application/graphql-response+json', json],
  ['application/graphql-response+json, application/json;q=0.9', graphql],
  ['application/graphql-response+json;q=0.8, application/json;q=0.9', json],
  ['application/json;q=0.9,application/graphql-response+json', graphql],
  ['application/graphql-response+json;q=0, */*', json],
  ['application/json;q=0, */*;q=0.1', graphql],
  ['application/json ; q=0.5 , application/graphql-response+json ; q=0.7', graphql],
  ['application/graphql-response+json;q=0.5, */*', json],
  ['application/graphql-response+json, */*;q=0.1', graphql],
  ['text/html, application/xhtml+xml, */*;q=0.8', json],
  ['application/json;q=nonsense', json],
  [[graphql, json], graphql],
  ['text/html', undefined],
  ['application/json;q=0', undefined],
  ['application/graphql+json', undefined],
  ['*/*;q=0', undefined],
  [',', undefined],
])('%j: %s', (accept, type) => {
  expect(negotiate({ headers: { accept } })).toBe(type)
})
