import type { Verdict } from '../../../src/explore/judge/judge.ts'

/**
 * A small page and what a person says who looks at it. The labels were written before any tool was asked, and change only where the
 * person was wrong about the page.
 */
export interface TruthPage {
  name: string
  /** The framework whose bundle's exports are there by name. Default: none. */
  uses?: 'react' | 'apollo' | 'vue'
  /** HTML of the body, before its script. */
  body?: string
  style?: string
  script: string
  /** Ids of sad paths by verdict; `stuck` and so on. */
  labels: Partial<Record<Verdict, readonly string[]>>
}

/** The endpoints that all pages share. */
export const fixture = `
- path: /orders
  response:
    body:
      - { id: 11, title: Oranges from Sicily, price: 12.5, internalId: x-7731 }
      - { id: 12, title: Lemons in a box, price: 8.25, internalId: x-7732 }
      - { id: 13, title: Dark chocolate, price: 4.75, internalId: x-7733 }
- path: /report
  response: { body: { title: Harvest of the south, total: 1234, author: { name: Ada Lovelace, email: ada@example.com } } }
- path: /user
  response: { body: { name: Grace Hopper, email: grace@example.com } }
- path: /stats
  response: { body: { label: Visits of this week, points: [30, 55, 80, 34, 21] } }
- path: /feed
  paginate:
    perPage: 2
    items: [{ id: 1, text: The first snow }, { id: 2, text: A warm winter }, { id: 3, text: Spring is here }]
- path: /graphql
  response:
    body:
      data:
        viewer: { name: Grace Hopper, email: grace@example.com }
        orders: [{ id: '11', title: Oranges from Sicily }, { id: '12', title: Lemons in a box }]
`

/** Ids of sad paths: `orders('status 500, list empty')`. */
const ids = (request: string) => (names: string) => names.split(', ').map((name) => `${request} #${name}`)
export const orders = ids('GET /orders')
export const report = ids('GET /report')
export const user = ids('GET /user')
export const stats = ids('GET /stats')
export const feed = ids('GET /feed')
export const shop = ids('POST /graphql Shop')
