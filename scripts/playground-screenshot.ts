/*
 * Writes playground/playground.png, the picture of the README: the two starter templates in the playground. Needs a build, a
 * Chromium and the font Liberation Sans. `pngquant --ext .png --force` halves the file.
 */
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'
import { connectBrowser } from '../test/e2e/browser.ts'
import setUp from '../test/e2e/setup.ts'

const root = fileURLToPath(new URL('../playground/', import.meta.url))

const closeBrowsers = await setUp()
const server = await createServer({ root, logLevel: 'silent', server: { host: '127.0.0.1', port: 0 } })
await server.listen()
const browser = await connectBrowser()
try {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 860 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  })
  await page.goto(server.resolvedUrls!.local[0]!)
  await page.getByText('Failing query').click()
  await page.getByText('1 error').waitFor()
  await page.getByText('Page 1 of 3').waitFor()
  await page.mouse.move(0, 0)
  const checkout = await page.getByText('POST /checkout').first().boundingBox()
  const clip = { x: 0, y: 0, width: 1280, height: Math.floor(checkout!.y) - 40 }
  await page.screenshot({ path: `${root}playground.png`, fullPage: true, clip })
} finally {
  await browser.close()
  await server.close()
  await closeBrowsers()
}
