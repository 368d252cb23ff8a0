import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

/** Writes `artifacts/e2e/<name>.png` where `SCREENSHOTS` is set. No test compares them, and a picture takes long to draw. */
export async function screenshot(page: Page, name: string, fullPage = false): Promise<void> {
  if (!process.env['SCREENSHOTS']) return
  const path = fileURLToPath(new URL(`../../artifacts/e2e/${name}.png`, import.meta.url))
  await page.screenshot({ path, fullPage })
}
