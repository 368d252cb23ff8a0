/* Writes docs/explore.png: the report of a page that takes its sad paths badly. Needs a Chromium. */
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createServer } from 'vite'
import mockApi from '../src/vite.ts'
import { runIn } from '../test/cli/test-terminal.ts'
import { connectBrowser } from '../test/e2e/browser.ts'
import setUp from '../test/e2e/setup.ts'
import { shopFiles } from '../test/e2e/shop-page.ts'
import { createTestProject } from '../test/hosts/test-project.ts'

const target = fileURLToPath(new URL('../docs/explore.png', import.meta.url))
const shown = [
  'GET /user #null name',
  'GET /user #status 500',
  'GET /orders #connection silent',
  'GET /orders #list empty',
  'GET /orders #status 500',
  'GET /orders #null [].title last',
]

const close = await setUp()
const project = createTestProject(shopFiles)
const server = await createServer({
  root: project.root,
  configFile: false,
  logLevel: 'warn',
  plugins: [mockApi({ root: project.root })],
  server: { port: 5173, host: 'localhost' },
})
await server.listen()
await runIn(project.root, ['explore', server.resolvedUrls!.local[0]!, '--only', ...shown])
const browser = await connectBrowser()
const page = await browser.newPage({ viewport: { width: 1400, height: 900 } })
await page.goto(pathToFileURL(join(project.root, 'mock-api-report/report.html')).href)
await page.screenshot({ path: target })
await browser.close()
await server.close()
await close()
project.close()
