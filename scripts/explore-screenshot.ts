/* Writes docs/explore.png: the report of a page that takes its sad paths badly. Needs a build and a Chromium. */
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { runIn } from '../test/cli/test-terminal.ts'
import { shopFiles } from '../test/e2e/shop-page.ts'
import { takePicture } from './picture.ts'

const target = fileURLToPath(new URL('../docs/explore.png', import.meta.url))
const shown = [
  'GET /user #null name',
  'GET /user #status 500',
  'GET /orders #connection silent',
  'GET /orders #list empty',
  'GET /orders #status 500',
  'GET /orders #null [].title last',
]

await takePicture(shopFiles, async ({ root, url, browser }) => {
  await runIn(root, ['explore', url, '--only', ...shown])
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } })
  await page.goto(pathToFileURL(join(root, 'mock-api-report/report.html')).href)
  await page.screenshot({ path: target })
})
