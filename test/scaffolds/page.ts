import { setTimeout as after } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { Send } from '../contract.ts'
import type { Served } from './project.ts'
import type { Scaffold } from './scaffold.ts'

const LIMIT = 180_000

/** Opens the project's own page as soon as its server has it. */
export async function openPage(
  page: Page,
  { page: { path, text } }: Scaffold,
  server: Served,
): Promise<void> {
  const end = performance.now() + LIMIT
  let seen = ''
  while (!server.hasEnded() && performance.now() < end) {
    seen = await page
      .goto(server.origin + path)
      .then(() => page.getByText(text).first().waitFor({ timeout: 5000 }))
      .then(
        () => 'open',
        (error: Error) => error.message,
      )
    if (seen === 'open') return
    await after(200)
  }
  throw new Error(`The page does not show ${text}: ${seen}\n${server.output()}`)
}

/** Sends requests with `fetch` of a page. */
export function sendFrom(page: () => Page): Send {
  return (request) =>
    page().evaluate(async ({ url, method = 'GET', headers = {}, body = null }) => {
      const response = await fetch(url, { method, headers, body })
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text: await response.text(),
      }
    }, request)
}
