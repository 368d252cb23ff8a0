/*
 * Writes docs/inspector.png and docs/inspector-dark.png: the inspector of a shop whose checkout fails, as a running dev server
 * shows it. Needs a build and a Chromium. `pngquant --ext .png --force` halves the files.
 */
import { fileURLToPath } from 'node:url'
import { takePicture } from './picture.ts'

const checkout = `- name: checkout
  path: /graphql
  when: { operationName: Checkout, variables: { express: true } }
  response:
    body: { data: { checkout: { order: { id: '1042', state: paid } } } }

- name: payment declined
  scenario: payment-down
  path: /graphql
  when: { operationName: Checkout }
  response:
    body:
      data: { checkout: null }
      errors: [{ message: The card was declined., path: [checkout] }]

- name: cart
  path: /graphql
  when: { operationName: Cart }
  response:
    delay: 120
    body: { data: { cart: { items: [{ sku: A-1, quantity: 2 }] } } }

- name: recommendations
  path: /graphql
  when: { operationName: Recommendations }
  response:
    body:
      data: { recommendations: null }
      errors: [{ message: The service is down., path: [recommendations] }]
`
const orders = `- name: an order
  path: /orders/:id
  response:
    delay: 60
    body: { id: 7, state: open, customer: { name: Ada Lovelace }, total: 39.8 }

- name: orders
  path: /orders
  paginate: { perPage: 3, items: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }, { id: 5 }, { id: 6 }, { id: 7 }] }
`
const payment = `- name: cards
  path: /payment/methods
  response: { body: [{ id: visa }, { id: mastercard }] }

- name: no payment method
  scenario: [payment-down, new-customer]
  path: /payment/methods
  response: { status: 503 }
`
const checkoutDocument = `mutation Checkout($cart: ID!, $express: Boolean) {
  checkout(cart: $cart, express: $express) { order { id state } }
}`

interface Sent {
  path: string
  method?: string
  body?: unknown
}

const graphql = (operationName: string, query: string, variables = {}): Sent => ({
  path: '/graphql',
  method: 'POST',
  body: { operationName, query, variables },
})
const cart = graphql('Cart', 'query Cart($first: Int) { cart(first: $first) { items { sku quantity } } }', {
  first: 20,
})
/** What the pages of the shop ask: those of one page at the same time. */
const pages: Sent[][] = [
  [{ path: '/orders?page=1' }, cart, { path: '/payment/methods' }],
  [{ path: '/orders?page=2' }],
  [{ path: '/orders?page=3' }],
  [
    { path: '/orders/7' },
    cart,
    graphql('Recommendations', 'query Recommendations { recommendations { sku } }'),
  ],
  Array.from({ length: 8 }, () => ({ path: '/orders/7' })),
  [{ path: '/orders/7', method: 'PUT', body: { state: 'packed' } }],
  [cart, { path: '/payment/methods' }],
  [graphql('Checkout', checkoutDocument, { cart: 'c-17', express: 'yes' })],
]

const files = {
  'fixtures/checkout.yaml': checkout,
  'fixtures/orders.yaml': orders,
  'fixtures/payment.yaml': payment,
}

await takePicture(files, async ({ url, browser }) => {
  const shop = await browser.newPage()
  await shop.goto(url)
  for (const requests of pages)
    await shop.evaluate(
      (all) =>
        Promise.all(
          all.map(async ({ path, method = 'GET', body }) => {
            const init = { method, headers: { 'content-type': 'application/json' } }
            await (
              await fetch(path, body === undefined ? { method } : { ...init, body: JSON.stringify(body) })
            ).text()
          }),
        ),
      requests,
    )
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({
      viewport: { width: 1440, height: 780 },
      colorScheme,
      reducedMotion: 'reduce',
    })
    await page.goto(`${url}__mock-api/`)
    await page.locator('.connection').getByText('Live', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Decision', selected: true }).waitFor() // it opens on the miss
    await page.getByRole('button', { name: 'Switches' }).click()
    await page.getByLabel('new-customer').check()
    await page.locator('.switched').getByText('Scenario new-customer').waitFor()
    await page.mouse.move(0, 0)
    const name = colorScheme === 'light' ? 'inspector' : 'inspector-dark'
    await page.screenshot({ path: fileURLToPath(new URL(`../docs/${name}.png`, import.meta.url)) })
    await page.close()
  }
})
