/*
 * Writes docs/miss.png, the picture of the README: a miss in a shop, the badge, the difference, and the shop again. It is
 * filmed from a running dev server, and says how long that takes. Needs a build and a Chromium.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { encodeApng, type Frame } from './apng.ts'
import { takePicture } from './picture.ts'

const fixtures = `# The orders of the shop
- name: order 7
  path: /graphql
  when: { operationName: Order, variables: { id: 7 } }
  response:
    body:
      data: { order: { state: shipped, item: Espresso cups, total: 41.9 } }

- name: cart
  path: /graphql
  when: { operationName: Cart }
  response: { body: { data: { cart: { items: [] } } } }
`

const html = `<!doctype html>
<html lang="en">
  <head>
    <title>Shop</title>
    <style>
      body { margin: 0; background: #f4f1ec; color: #2a2520; font: 18px/1.5 'Liberation Sans', sans-serif }
      header { padding: 18px 40px; background: #2f4a3c; color: #fff; font-weight: 700 }
      main { max-width: 560px; margin: 60px auto; padding: 32px 40px; border-radius: 12px; background: #fff }
      h1 { margin: 0 0 12px; font-size: 26px }
      .failed { color: #a8231a }
    </style>
  </head>
  <body>
    <header>Kitchen &amp; Co.</header>
    <main><h1>Your order</h1><p>Loading</p></main>
    <script type="module" src="/main.js"></script>
  </body>
</html>
`

const main = `
const query = 'query Order($id: ID!) { order(id: $id) { state item total } }'
async function load() {
  const text = document.querySelector('p')
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ operationName: 'Order', query, variables: { id: '7' } }),
  })
  const { data } = await response.json()
  text.className = data?.order ? '' : 'failed'
  text.textContent = data?.order
    ? \`\${data.order.item}, € \${data.order.total.toFixed(2)}: \${data.order.state}\`
    : 'The order could not be loaded.'
}
import.meta.hot.on('mock-api:reload', load)
load()
`

const frames: Frame[] = []

async function film(page: Page, milliseconds: number): Promise<void> {
  frames.push({ png: await page.screenshot(), milliseconds })
}

/** A mouse that can be seen. Styles are set one by one, as the policy of the inspector forbids others. */
async function point(page: Page, x: number, y: number): Promise<void> {
  await page.mouse.move(x, y)
  await page.evaluate(
    ([left, top]) => {
      const svg = 'http://www.w3.org/2000/svg'
      const old = document.querySelector('#pointer')
      const pointer = old ?? document.createElementNS(svg, 'svg')
      if (!old) {
        const path = document.createElementNS(svg, 'path')
        for (const [name, value] of Object.entries({
          d: 'M2 2v17l4.5-4 3 7 3-1.300-3-7h6z',
          fill: '#111',
          stroke: '#fff',
        }))
          path.setAttribute(name, value)
        pointer.id = 'pointer'
        pointer.append(path)
        document.body.append(pointer)
      }
      const style = {
        position: 'fixed',
        zIndex: 2147483647,
        width: '26px',
        height: '26px',
        pointerEvents: 'none',
      }
      Object.assign((pointer as SVGElement).style, style, { left: `${left}px`, top: `${top}px` })
    },
    [x, y],
  )
}

async function pointAt(page: Page, role: 'link' | 'button', name: string): Promise<void> {
  const box = (await page.getByRole(role, { name }).first().boundingBox())!
  await point(page, box.x + box.width / 2, box.y + box.height / 2)
}

const files = {
  'index.html': html,
  'main.js': main,
  'fixtures/orders.yaml': fixtures,
}

await takePicture(files, async ({ url, browser }) => {
  const context = await browser.newContext({
    viewport: { width: 1120, height: 740 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  })
  // In a browser that a program drives, there is no badge.
  await context.addInitScript(() => Object.defineProperty(navigator, 'webdriver', { value: false }))
  const shop = await context.newPage()
  await shop.goto(url)
  const badge = shop.getByRole('link', { name: '1 miss' })
  await badge.waitFor()
  await point(shop, 560, 420)
  await film(shop, 1600)
  await pointAt(shop, 'link', '1 miss')
  await film(shop, 900)

  const start = performance.now()
  const opened = context.waitForEvent('page')
  await badge.click()
  const inspector = await opened
  await inspector.getByRole('button', { name: 'Apply' }).waitFor()
  await inspector.getByText('Then "order 7" answers.').waitFor()
  await inspector.locator('#details').evaluate((details) => details.scrollTo(0, 0))
  await point(inspector, 700, 250)
  await film(inspector, 2600)
  await pointAt(inspector, 'button', 'Apply')
  await film(inspector, 900)
  await inspector.getByRole('button', { name: 'Apply' }).click()
  await inspector.getByText('Changed').waitFor()
  await inspector.getByRole('option', { name: /200/ }).first().waitFor()
  await inspector.getByText('The selector of').waitFor()
  const seconds = (performance.now() - start) / 1000
  await inspector.getByRole('status').filter({ hasText: 'HTTP 200' }).first().waitFor()
  await film(inspector, 2200)
  await shop.getByText('Espresso cups').waitFor()
  await point(shop, 560, 420)
  await film(shop, 2200)

  const apng = encodeApng(frames)
  writeFileSync(new URL('../docs/miss.png', import.meta.url), apng)
  console.log(`From the click to the green row: ${seconds.toFixed(1)} s. The film has ${apng.length} bytes.`)
  if (seconds > 10 || apng.length > 1_000_000) process.exitCode = 1
  const folder = fileURLToPath(new URL('../artifacts/', import.meta.url))
  frames.forEach(({ png }, index) => writeFileSync(`${folder}miss-${index + 1}.png`, png))
})
