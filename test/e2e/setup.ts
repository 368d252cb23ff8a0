import { launchServer } from './browser.ts'

/** One browser for all tests that need one, launched before them and closed after them. */
export default async function setup(): Promise<() => Promise<void>> {
  const server = await launchServer()
  process.env['CHROME_PATH'] = server.process().spawnfile // for tests that run another command, which launches one itself
  process.env['BROWSER_ENDPOINT'] = server.wsEndpoint()
  return () => server.close()
}
