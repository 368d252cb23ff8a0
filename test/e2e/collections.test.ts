/* The table of a collection in the inspector, and what requests then get. Needs `npm run build`, which `npm test` does first. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApiServer, type ApiServer } from '../inspector/server/api-server.ts'
import { accessibilityProblems } from './accessibility.ts'
import { screenshot } from './screenshot.ts'
import { useBrowser } from './use-browser.ts'

const browser = useBrowser()
let server: ApiServer
let page: Page
const problems: string[] = []

beforeAll(async () => {
  server = await startApiServer({
    'fixtures/shop.yaml': `
- path: /orders
  collection: { items: { file: orders.json } }
- { path: /customers, collection: { items: [{ id: 1, name: Ann }] } }
`,
    'fixtures/orders.json': JSON.stringify([
      { id: 1, state: 'open', total: 20 },
      { id: 2, state: 'paid', total: 5 },
      { id: 3, state: 'open', total: 7 },
    ]),
  })
  page = await browser().newPage()
  page.on('pageerror', ({ message }) => problems.push(message))
  await page.goto(`${server.origin}/__mock-api/#/routes`)
  await page.getByRole('link', { name: 'Collections' }).click()
  await row('1').waitFor()
})
afterAll(async () => {
  await page.close()
  await server.close()
  expect(problems).toEqual([])
})

const row = (id: string) =>
  page.getByRole('row').filter({ has: page.getByRole('cell', { name: id, exact: true }) })
const said = (text: string) => page.getByRole('status').getByText(text).waitFor()
const orders = async () => (await (await server.send('/orders')).json()) as object[]
const ids = () => page.locator('tbody tr td:first-child').allTextContents()

it('headers stand above the texts of their cells', async () => {
  const places = await page.evaluate(() => {
    const start = (element: Element) => {
      const { paddingLeft, borderLeftWidth } = getComputedStyle(element)
      return Math.round(
        element.getBoundingClientRect().left + parseFloat(paddingLeft) + parseFloat(borderLeftWidth),
      )
    }
    const starts = (selector: string) => [...document.querySelectorAll(selector)].map(start)
    return [starts('thead button'), starts('tbody tr:first-child td :is(input, span.line > span.mono)')]
  })
  expect(places[1]!.slice(0, places[0]!.length)).toEqual(places[0])
})

it('is sorted and filtered', async () => {
  await page.getByRole('button', { name: 'total' }).click()
  expect(await ids()).toEqual(['2', '3', '1'])
  await page.getByRole('button', { name: 'total' }).click()
  expect(await ids()).toEqual(['1', '3', '2'])
  await page.getByLabel('Filter items').fill('open')
  await row('2').waitFor({ state: 'detached' })
  expect(await ids()).toEqual(['1', '3'])
  await page.getByLabel('Filter items').fill('')
})

it('changes, adds and deletes items, marks what is not as in the file, and is reset', async () => {
  const cell = page.getByLabel('total of 2', { exact: true })
  await cell.fill('99')
  await cell.press('Enter')
  await said('orders 2 was changed')
  await row('2').getByText('changed').waitFor()
  await page.getByLabel('id of the new item').fill('8')
  await page.getByLabel('The new item, as JSON').fill('{ "state": "new" }')
  await page.getByRole('button', { name: 'Add' }).click()
  await row('8').getByText('new', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Delete 1' }).click()
  await row('1').waitFor({ state: 'detached' })
  expect(await orders()).toEqual([
    { id: 2, state: 'paid', total: 99 },
    { id: 3, state: 'open', total: 7 },
    { id: 8, state: 'new' },
  ])
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Reset' }).click()
  await row('1').waitFor()
  expect(await orders()).toHaveLength(3)
})

it('keeps the type of a column, shows another one, and asks before', async () => {
  const cell = (name = 'total of 2') => page.getByLabel(name, { exact: true })
  const choose = (name: string) => page.getByRole('alert').getByRole('button', { name, exact: true }).click()
  const typed = async (text: string, name?: string) => {
    await cell(name).fill(text)
    await cell(name).press('Enter')
  }
  const total = async () => ((await orders()) as { total?: unknown }[])[1]!.total
  const before = await orders()

  await typed('abc')
  await page.getByRole('alert').getByText('Not a number.').waitFor()
  expect(await cell().getAttribute('aria-invalid')).toBe('true')
  expect(await accessibilityProblems(page)).toEqual([])
  await screenshot(page, 'collections-asked')
  await choose('Cancel')
  expect(await cell().inputValue()).toBe('5')
  expect(await cell().evaluate((input) => input === document.activeElement)).toBe(true)
  for (const leave of ['Escape', 'Tab']) {
    await cell().fill(leave === 'Tab' ? ' 5 ' : 'abc')
    await page.keyboard.press(leave)
    expect(await cell().inputValue()).toBe('5')
  }
  expect(await orders()).toEqual(before)

  // What looked the same in the cell was a text, and the application failed at `toFixed`.
  await typed('abc')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter') // the first choice
  await cell('total of 2, text').waitFor()
  expect(await total()).toBe('abc')
  await screenshot(page, 'collections-text')
  await typed('211', 'total of 2, text')
  await cell().waitFor()
  expect(await total()).toBe(211)

  // The next key waits for the page, as a person does: the server is ahead of it.
  const isShown = (text: string, placeholder: string | null = null) =>
    expect
      .poll(async () => [await cell().getAttribute('value'), await cell().getAttribute('placeholder')])
      .toEqual([text, placeholder])
  await typed('')
  await choose('Save as null')
  await expect.poll(total).toBe(null)
  await isShown('', 'null')
  await typed('7')
  await expect.poll(total).toBe(7)
  await isShown('7')
  await typed('')
  await choose('Leave it out')
  await expect.poll(total).toBe(undefined)
  await isShown('')
  await typed('8')
  await expect.poll(total).toBe(8)

  await page.getByLabel('id of the new item').fill('x')
  await page.getByLabel('The new item, as JSON').fill('[1]')
  await page.getByRole('button', { name: 'Add' }).click()
  await said('The item is no JSON object.')
  await page.getByLabel('The new item, as JSON').fill('{ "total": 9007199254740993123 }')
  await page.getByRole('button', { name: 'Add' }).click()
  await choose('Save as text')
  await said('orders x was added')
  await row('x text').waitFor()
  expect(await cell('total of x').inputValue()).toBe('9007199254740993123')
  const state = page.getByLabel('state of x')
  await state.fill('open')
  await state.press('Enter')
  await said('orders x was changed')
  expect(await (await server.send('/orders')).text()).toContain(
    '"total":9007199254740993123,"id":"x","state":"open"',
  )
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect.poll(orders).toEqual(before)
})

it('saves the items to their file, and takes that back', async () => {
  const file = join(server.project.root, 'fixtures/orders.json')
  const before = readFileSync(file, 'utf8')
  await page.getByRole('button', { name: 'Delete 1' }).click()
  await page.getByRole('button', { name: 'Save to the file' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject([{ id: 2 }, { id: 3 }])
  await page.getByRole('button', { name: 'Undo' }).click()
  await row('1').waitFor()
  expect(readFileSync(file, 'utf8')).toBe(before)
})

it('shows what a request has written', async () => {
  await server.post('/orders', { state: 'sent' })
  await row('4').waitFor()
  await page.getByRole('button', { name: 'customers' }).click()
  await page.getByLabel('name of 1').waitFor()
})
