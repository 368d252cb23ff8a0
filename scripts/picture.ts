import { createServer } from 'vite'
import type { Browser } from 'playwright-core'
import mockApi from 'unplugin-mock-api/vite'
import { connectBrowser } from '../test/e2e/browser.ts'
import setUp from '../test/e2e/setup.ts'
import { createProjectInPackage } from '../test/hosts/test-project.ts'

interface Running {
  root: string
  /** Ends with a slash. */
  url: string
  browser: Browser
}

/** Starts Vite with the built plugin in a project of these files, and a browser, for a picture of the documentation. */
export async function takePicture(
  files: Record<string, string>,
  take: (running: Running) => Promise<void>,
): Promise<void> {
  const project = createProjectInPackage(files)
  const closeBrowsers = await setUp()
  const server = await createServer({
    root: project.root,
    configFile: false,
    logLevel: 'warn',
    plugins: [mockApi()],
    server: { host: 'localhost', port: 5173 },
  })
  await server.listen()
  const browser = await connectBrowser()
  try {
    await take({ root: project.root, url: server.resolvedUrls!.local[0]!, browser })
  } finally {
    await browser.close()
    await server.close()
    await closeBrowsers()
    project.close()
  }
}
