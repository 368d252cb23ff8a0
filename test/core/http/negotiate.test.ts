import { describe, expect, it } from 'vitest'
import { acceptedGraphQL, isNavigation } from '../../../src/core/http/raw-request.ts'

const json = 'application/json'
const graphql = 'application/graphql-response+json'

describe('acceptedGraphQL', () => {
  it.each<[accept: string | undefined, type: string | undefined]>([
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
    ['application/json;q=0.9,application/graphql-response+json', graphql],
    ['application/graphql-response+json;q=0, */*', json],
    ['application/json;q=0, */*;q=0.1', graphql],
    ['text/html, application/xhtml+xml, */*;q=0.8', json],
    ['application/json;q=nonsense', undefined],
    ['*/*, application/graphql-response+json', graphql],
    ['text/html', undefined],
    ['application/json;q=0', undefined],
    ['*/*;q=0', undefined],
    [',', undefined],
  ])('%j: %s', (accept, type) => {
    expect(acceptedGraphQL({ headers: { accept } })).toBe(type)
  })
})

const chrome =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7'

describe('isNavigation', () => {
  it.each([
    ['GET', chrome, true],
    ['HEAD', chrome, true],
    ['GET', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
    ['GET', 'TEXT/HTML ; charset=utf-8', true],
    ['GET', 'application/xhtml+xml', true],
    ['GET', 'text/html, */*', true],
    ['GET', 'application/json;q=0.9, text/html', true],
    ['GET', 'text/html;q=0.002, application/json;q=0.001', true],
    ['GET', undefined, false],
    ['GET', '', false],
    ['GET', '*/*', false],
    ['GET', 'text/*', false],
    ['GET', 'text/htmlx', false],
    ['GET', 'image/avif,image/webp,*/*;q=0.8', false],
    ['GET', 'application/graphql-response+json, application/json, multipart/mixed', false],
    ['GET', 'application/json, text/html', false],
    ['GET', 'application/graphql-response+json, text/html', false],
    ['GET', 'text/html;q=0.1, */*', false],
    ['GET', 'text/html;q=0.1, application/*;q=0.2', false],
    ['GET', 'text/html;q=0', false],
    ['GET', 'text/html;q=much', false],
    ['POST', chrome, false],
    ['get', chrome, false],
  ])('%s with Accept: %s is %s', (method, accept, expected) => {
    expect(isNavigation(method, { headers: { accept } })).toBe(expected)
  })
})
