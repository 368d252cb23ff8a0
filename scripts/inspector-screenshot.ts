/* Writes docs/inspector.png: the inspector of a shop whose checkout fails. Needs a build and a Chromium. */
import { fileURLToPath } from 'node:url'
import { connectBrowser } from '../test/e2e/browser.ts'
import { startFakeServer } from '../test/e2e/fake-control-api.ts'
import setUp from '../test/e2e/setup.ts'
import { shop } from '../test/e2e/inspected-requests.ts'

const path = fileURLToPath(new URL('../docs/inspector.png', import.meta.url))

const inspected = shop()
const [first, ...others] = inspected.requests
// The list as it is after a while: the same requests again, without the checkout.
const earlier = Array.from({ length: 3 }, () => others.slice(0, -2)).flat()
const requests = [first!, ...earlier, ...others]
inspected.requests = requests.map((request, index) => ({
  ...request,
  id: index + 1,
  time: first!.time + index * 3100,
}))

const closeBrowsers = await setUp()
const server = await startFakeServer(inspected)
const browser = await connectBrowser()
try {
  const options = {
    viewport: { width: 1440, height: 780 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  } as const
  const page = await browser.newPage(options)
  await page.goto(`${server.url}#/requests/${requests.length}/decision?switches`)
  await page.getByLabel('payment-down').check()
  await page.getByRole('button', { name: 'Make it match' }).first().click()
  await page.locator('.scenario summary').first().click()
  await page.mouse.move(0, 0)
  await page.locator('.switched').getByText('Scenario payment-down').waitFor()
  await page.screenshot({ path })
} finally {
  await browser.close()
  await server.close()
  await closeBrowsers()
}
