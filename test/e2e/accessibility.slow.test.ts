import { expect, it } from 'vitest'
import { accessibilityProblems } from './accessibility.ts'
import { useBrowser } from './use-browser.ts'

const browser = useBrowser()

/** The problems of a page with this body, under the strictest content security policy. */
async function problemsOf(body: string): Promise<string[]> {
  const head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>A page</title>'
  const headers = { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'" }
  const page = await browser().newPage()
  await page.route('http://page.test/', (route) =>
    route.fulfill({ contentType: 'text/html', headers, body: `${head}<main>${body}</main></html>` }),
  )
  await page.goto('http://page.test/')
  return accessibilityProblems(page)
}

it.each([
  ['a button without a name', '<button></button>', ['critical', 'button-name', '<button>']],
  [
    'text with low contrast',
    '<p style="color: #888">Pale</p>',
    ['serious', 'color-contrast', 'Pale', '3.54'],
  ],
  [
    'low contrast of colors in other notations',
    '<p style="color: oklch(0.6 0 0); background: color-mix(in srgb, white 90%, black)">Pale</p>',
    ['serious', 'color-contrast', 'Pale'],
  ],
])('reports %s', async (_, body, parts) => {
  const problems = await problemsOf(body)
  expect(problems).toHaveLength(1)
  for (const part of parts) expect(problems[0]).toContain(part)
})

it('reports nothing for a page without problems', async () => {
  expect(await problemsOf('<h1>A heading</h1><p>Text</p><button>Send</button>')).toEqual([])
})
