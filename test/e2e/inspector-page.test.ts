/* The inspector's page in a real browser, with a control API that says what each test wants. Needs `npm run build`. */
import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { accessibilityProblems, rulesOfLook } from './accessibility.ts'
import { leavePage } from './browser.ts'
import { startFakeServer, type FakeServer } from './fake-control-api.ts'
import { shop, withScripts, type Inspected } from './inspected-requests.ts'
import { screenshot } from './screenshot.ts'
import { useBrowser } from './use-browser.ts'

const browser = useBrowser()
let page: Page
let server: FakeServer | undefined
const problems: string[] = []

/*
 * One page for all tests, since a new one takes longer than most of them. Each has a server of its own, and so an empty storage. It
 * goes straight from one to the next: an empty page in between takes as long as a small test.
 */
beforeAll(async () => {
  page = await browser().newPage({ reducedMotion: 'reduce' })
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
})
afterEach(() => expect(problems.splice(0)).toEqual([]))
afterAll(async () => {
  await leavePage(page)
  await server?.close()
})

async function open(
  hash = '',
  inspected: Inspected = shop(),
  others?: Parameters<typeof startFakeServer>[1],
): Promise<FakeServer> {
  const before = server
  server = await startFakeServer(inspected, others)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(server.url + (hash || '#/requests'))
  await before?.close()
  await connected()
  return server
}

const connected = () => page.locator('.connection').getByText('Live', { exact: true }).waitFor()
const rows = () => page.getByRole('listbox', { name: 'Requests' }).getByRole('option')
const selected = () => page.getByRole('option', { selected: true })
const details = () => page.getByRole('region', { name: 'Selected request' })
const bar = () => page.locator('.switched')
const isInSight = (element: Element) => {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
}
const has = (text: string) => page.getByText(text).first().waitFor()

describe('the list', () => {
  it('shows operations by name, other requests by path, and who answered each', async () => {
    const opened = await open()
    const list = await rows().evaluateAll((elements) =>
      elements.map((row) => [
        row.querySelector('[role=img]')!.getAttribute('aria-label'),
        row.querySelector('.method')!.textContent,
        row.querySelector('.target')!.textContent,
        row.querySelector('.status')!.textContent,
      ]),
    )
    expect(list).toEqual([
      ['No route matched', 'mutation', 'Checkout cart: c-17, express: yes', '404'],
      ['Refused', 'POST', '/graphql', '403'],
      ['Answered by an override', 'DELETE', '/orders/7', '503'],
      ['Broken by a fault', 'GET', '/payment/methods', 'broken'],
      ['Answered by a route', 'query', 'Cart first: 20', '200'],
      ['Answered by a route', 'GET', '/orders/7?include=lines', '200'],
      ['Answered by a starter template', 'GET', '/items?page=1', '200'],
    ])
    await page.getByLabel('Show passed-through requests').check()
    await has('/src/main.tsx')
    const answered = shop().requests.find((request) => request.answeredBy === 'route')!
    opened.add({ ...answered, id: 101, url: '/thrown', status: 500 })
    await rows().filter({ hasText: '/thrown' }).locator('.who-failed').waitFor()
    expect(await page.locator('.who-failed').count()).toBe(1)
  })

  it('is filtered, paused and cleared, and survives a reload of the page', async () => {
    const inspected = shop()
    const server = await open('', inspected)
    await page.getByLabel('Filter requests').fill('graphql -404')
    await expect.poll(() => rows().count()).toBe(2)
    await page.reload()
    await expect.poll(() => rows().count()).toBe(2)
    await page.getByLabel('Filter requests').fill('')

    await page.getByRole('button', { name: 'Pause' }).click()
    server.add({ ...inspected.requests[1]!, id: 100, url: '/new' })
    await has('Paused, 1 new')
    expect(await rows().count()).toBe(7)
    await page.getByRole('button', { name: 'Resume' }).click()
    await has('/new')

    await page.getByRole('button', { name: 'Clear' }).click()
    await has('No requests yet.')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => rows().count()).toBe(8)
    await page.getByRole('button', { name: 'Clear' }).click()
    await has('No requests yet.')
    await page.reload()
    await has('No requests yet.')
    server.add({ ...inspected.requests[1]!, id: 101, url: '/newer' })
    await has('/newer')
  })

  it('goes by a key that is pressed as soon as a row is there', async () => {
    const inspected = shop()
    const opened = await open('', { ...inspected, requests: [] })
    await page.evaluate(() => {
      const press = (_: unknown, observer: MutationObserver) => {
        if (!document.querySelector('[role=option]')) return
        observer.disconnect()
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }))
      }
      new MutationObserver(press).observe(document.body, { childList: true, subtree: true })
    })
    opened.add(inspected.requests[1]!)
    await selected().waitFor()
  })

  it('goes by keys', async () => {
    await open()
    const press = (key: string) => page.keyboard.press(key)
    await press('j')
    await expect.poll(() => selected().innerText()).toContain('Checkout')
    await press('j')
    await expect.poll(() => selected().innerText()).toContain('403')
    await press('ArrowUp')
    await expect.poll(() => selected().innerText()).toContain('Checkout')
    await press('Enter')
    await expect.poll(() => details().evaluate((element) => element === document.activeElement)).toBe(true)
    await press('3')
    await page.getByRole('tab', { name: 'Answer', selected: true }).waitFor()
    await press('Escape')
    await expect.poll(() => selected().evaluate((element) => element === document.activeElement)).toBe(true)
    await press('/')
    await page.keyboard.type('cart j')
    expect(await page.getByLabel('Filter requests').inputValue()).toBe('cart j')
    await press('Escape')
    await press('Escape')
    await press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await press('j')
    await press('Escape')
    await expect.poll(() => selected().innerText()).toContain('Checkout')
    await press('c')
    await has('No requests yet.')
  })

  it('is opened on the newest miss, but not where that would hide the list', async () => {
    const { url } = await open()
    await page.goto('about:blank')
    await page.goto(url)
    await expect.poll(() => selected().innerText()).toContain('Checkout')
    await page.setViewportSize({ width: 400, height: 800 })
    await page.goto('about:blank')
    await page.goto(url)
    await connected()
    await expect.poll(() => rows().count()).toBe(7)
    expect(await selected().count()).toBe(0)
  })

  it('is narrowed down by chips, and by words of headers and bodies', async () => {
    await open()
    await page.getByRole('button', { name: 'Misses 1' }).click()
    expect(await page.getByLabel('Filter requests').inputValue()).toBe('is:miss')
    expect(await rows().count()).toBe(1)
    await page.getByRole('button', { name: 'Errors 3' }).click()
    expect(await rows().count()).toBe(4)
    await page.getByRole('button', { name: 'Passed on' }).click()
    await has('/src/main.tsx')
    await page.getByLabel('Filter requests').fill('Lovelace')
    await expect.poll(() => rows().allInnerTexts()).toEqual([expect.stringContaining('/orders/7')])
  })

  it('groups repeated requests, pins one, and compares it with another', async () => {
    const inspected = shop()
    const order = inspected.requests[2]!
    const text = JSON.stringify({ id: 7, state: 'paid' })
    const repeated = [9, 10, 11].map((id) => ({ ...order, id }))
    const paid = { ...order.response!, body: { size: text.length, text, isCut: false } }
    inspected.requests.push(...repeated, { ...order, id: 12, status: 201, response: paid })
    const server = await open('', inspected)
    expect(await rows().count()).toBe(9)
    await rows().nth(1).getByText('×3').waitFor()
    await page.keyboard.press('g')
    expect(await rows().count()).toBe(11)
    await rows().nth(1).click()
    await page.keyboard.press('m')
    await rows().nth(1).getByText('/orders/7').click()
    await page.getByRole('button', { name: 'Compare with the pinned one' }).click()
    const compared = page.getByRole('region', { name: 'The difference' }).locator('.added')
    await compared.filter({ hasText: '"state": "paid"' }).waitFor()
    await page.keyboard.press('Escape')
    expect(server.sent).toEqual([])
  })

  it('draws the visible lines alone, and keeps the selected one while others take its place', async () => {
    const inspected = shop()
    const [, first] = inspected.requests
    const request = (id: number) => ({ ...first!, id, url: `/items?page=${id}`, status: 200 })
    inspected.requests = Array.from({ length: 500 }, (_, index) => request(index + 1))
    const server = await open('#/requests/20/decision', inspected)
    await selected().getByText('page=20').waitFor()
    expect(await rows().count()).toBeLessThan(60)
    expect(await rows().first().getAttribute('aria-setsize')).toBe('500')
    for (let id = 501; id <= 600; id++) server.add(request(id))
    await page.getByText('501 requests').waitFor() // 500, and the selected one
    await selected().getByText('page=20').waitFor()
    await page.getByRole('listbox').evaluate((list) => list.scrollTo(0, 0))
    await has('/items?page=600')
    expect(await rows().count()).toBeLessThan(60)
  })

  it('has a border that keys and the pointer move', async () => {
    await open()
    const width = () => page.locator('.side').evaluate(({ clientWidth }) => clientWidth)
    const before = await width()
    const border = page.getByRole('separator', { name: 'Width of the list' })
    await border.press('ArrowRight')
    await expect.poll(width).toBeGreaterThan(before)
    const { x, y } = (await border.boundingBox())!
    await page.mouse.move(x + 2, y + 50)
    await page.mouse.down()
    await page.mouse.move(x + 202, y + 50)
    await page.mouse.up()
    expect(await width()).toBeGreaterThan(before + 200)
    await border.dblclick()
    await expect.poll(width).toBe(before)
  })
})

describe('a request', () => {
  it('explains its decision: expected beside received, the nearest route first, and how to make it match', async () => {
    const server = await open('#/requests/8/decision')
    await has('No route matched.')
    const candidates = details().getByRole('listitem')
    expect(await candidates.locator('b').allInnerTexts()).toEqual(['checkout', 'payment declined', 'cart'])
    const [nearest] = await candidates.all()
    expect(await nearest!.getByRole('row').nth(1).innerText()).toMatch(
      /variables\.express\s+true boolean\s+"yes" string/,
    )
    const diff = nearest!.getByRole('region', { name: 'The difference' })
    await diff.getByText("+    variables: { express: 'yes' }").waitFor()
    await nearest!.getByText('Then "checkout" answers.').waitFor()
    await nearest!.getByRole('button', { name: 'Make it match' }).click()
    await diff.waitFor({ state: 'detached' })
    expect(server.sent.splice(0)).toEqual([['POST', 'edit', { request: 8, route: 'POST /graphql #1' }]])

    await candidates.nth(1).getByRole('button', { name: 'Switch on payment-down' }).click()
    await bar().getByText('Scenario payment-down').waitFor()
    expect(server.sent.splice(0)).toEqual([['PUT', 'scenario', { scenario: ['payment-down'] }]])

    await nearest!.getByRole('button', { name: 'fixtures/checkout.yaml:2' }).click()
    await has('Opened fixtures/checkout.yaml in the editor')
    expect(server.sent).toEqual([['POST', 'open', { file: 'fixtures/checkout.yaml', line: 2, column: 3 }]])
  })

  it('shows document, variables, GraphQL errors, and JSON as a tree that folds', async () => {
    await open('#/requests/8/request')
    await has('mutation Checkout($cart: ID!')
    await page.getByRole('region', { name: 'Variables' }).getByText('"c-17"').waitFor()
    await page.getByRole('tab', { name: 'Answer' }).click()
    await has('1 GraphQL error')
    const tree = page.getByRole('region', { name: 'the answer' })
    await tree.getByText('"No route of POST /graphql matches."').waitFor()
    await tree.locator('summary').first().click()
    await tree.getByText('2 keys').waitFor()
    expect(await tree.getByText('"No route of POST /graphql matches."').count()).toBe(0)
  })

  it('becomes a fixture: shown first, then written, and taken back', async () => {
    let isRefused = true
    const server = await open('#/requests/8/answer', undefined, {
      'PUT edit': () => (isRefused ? void (isRefused = false) : { file: 'fixtures/mine.yaml', line: 6 }),
    })
    await page.getByRole('button', { name: 'Write a fixture' }).click()
    const dialog = page.getByRole('dialog', { name: 'Write a fixture' })
    await dialog.getByText('The answer is an example: nothing has answered this request.').waitFor()
    await dialog.getByLabel('New file').fill('fixtures/mine.yaml')
    await dialog.getByLabel('New file').blur()
    await expect.poll(() => server.sent.length).toBe(2)
    await dialog.getByRole('button', { name: 'Edit' }).click()
    const editor = dialog.getByLabel('fixtures/mine.yaml')
    await editor.fill('- path: /a\n  re')
    await dialog.getByRole('option', { name: /^response/ }).waitFor()
    await editor.press('Tab')
    const text = '- path: /a\n  response: '
    await expect.poll(() => editor.inputValue()).toBe(text)
    // What was typed is kept when the dialog is closed.
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Write a fixture' }).click()
    await expect.poll(() => editor.inputValue()).toBe(text)
    // At once: the button waits until what was typed is checked.
    await page.setViewportSize({ width: 1280, height: 400 })
    await dialog.getByRole('button', { name: 'Apply' }).click()
    // Why it was not written is seen where the button is.
    const refused = dialog.getByRole('alert').filter({ hasText: 'The server was started again.' })
    await expect.poll(() => refused.evaluate(isInSight)).toBe(true)
    expect(problems.splice(0)).toEqual([expect.stringContaining('404')])
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('Changed fixtures/mine.yaml:6').waitFor()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await has('fixtures/checkout.yaml was restored')
    expect([...server.sent.slice(0, 2), ...server.sent.slice(-5)]).toEqual([
      ['POST', 'edit', { request: 8 }],
      ['POST', 'edit', { request: 8, file: 'fixtures/mine.yaml' }],
      ['POST', 'edit', { request: 8, file: 'fixtures/mine.yaml', text }],
      ['PUT', 'edit', { file: 'fixtures/mine.yaml', text, version: 'before' }],
      ['POST', 'edit', { request: 8, file: 'fixtures/mine.yaml', text }],
      ['PUT', 'edit', { file: 'fixtures/mine.yaml', text, version: 'after' }],
      ['DELETE', 'edit', undefined],
    ])
  })

  it('is copied as cURL, also where the page may not use the clipboard', async () => {
    await open('#/requests/8')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'cURL' }).click()
    await has('Copied as cURL')
    const curl = await page.evaluate(() => navigator.clipboard.readText())
    expect(curl).toMatch(
      /^curl http:\/\/127\.0\.0\.1:\d+\/graphql \\\n {2}-H 'content-type: application\/json'/,
    )
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('not here'))
    })
    await page.getByRole('button', { name: 'fetch', exact: true }).click()
    await has('Copied as fetch')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^await fetch\("\/graphql"/)
  })

  it('that the server has forgotten says so', async () => {
    await open('#/requests/77/answer')
    await has('There is no such request.')
    expect(problems.splice(0)).toEqual([expect.stringContaining('404')]) // the browser's own line
  })
})

describe('switches', () => {
  it('are set, shown above everything, and reset with one click', async () => {
    const server = await open('#/requests?switches')
    const panel = page.getByRole('complementary', { name: 'Switches' })
    await panel.getByLabel('payment-down').check()
    await bar().getByText('Scenario payment-down').waitFor()
    await panel.getByLabel('Offline').check()
    await panel.getByLabel('Extra delay').selectOption('1 s')
    await bar().getByText('1 s slower').waitFor()
    await panel.getByLabel('Count').fill('3')
    await panel.getByLabel('With').selectOption('reset')
    await panel.getByRole('button', { name: 'Fail' }).click()
    await bar().getByText('The next 3 requests fail with the fault reset').waitFor()
    await page.getByRole('link', { name: 'Routes' }).click()
    await page.getByRole('button', { name: 'Force' }).nth(1).click()
    await bar().getByText('Forced: POST /graphql').waitFor()
    expect(server.sent.at(-1)).toEqual([
      'PUT',
      'overrides',
      {
        offline: true,
        delay: 1000,
        failNext: { count: 3, fault: 'reset' },
        routes: { 'POST /graphql': 'POST /graphql #2' },
      },
    ])
    await bar().getByRole('button', { name: 'Reset all' }).click()
    await expect.poll(() => bar().innerText()).toBe('')
    expect(server.sent.at(-1)).toEqual(['POST', 'reset', undefined])
    expect(await panel.getByLabel('payment-down').isChecked()).toBe(false)
  })

  it('the scenarios of this browser are shown, and left by the cross or with all others', async () => {
    for (const name of ['Turn off for this browser', 'Reset all']) {
      await open()
      await page.evaluate(() => void (document.cookie = 'mock-scenario=a%20b,dark; path=/'))
      await page.evaluate(() => void dispatchEvent(new Event('focus')))
      await bar().getByText('This browser: a b, dark').waitFor()
      await bar().getByRole('button', { name }).click()
      await expect.poll(() => bar().innerText()).toBe('')
      expect(await page.evaluate(() => document.cookie)).toBe('')
    }
  })
})

it('sets of switches are saved and switched on again, and a scenario has a link', async () => {
  const server = await open('#/requests?switches')
  const panel = page.getByRole('complementary', { name: 'Switches' })
  await panel.getByText('?mock-scenario=payment-down').waitFor()
  await panel.getByLabel('payment-down').check()
  await panel.getByLabel('Offline').check()
  await panel.getByLabel('Name of the set').fill('a bad day')
  await panel.getByRole('button', { name: 'Save the switches' }).click()
  await bar().getByRole('button', { name: 'Reset all' }).click()
  await expect.poll(() => bar().innerText()).toBe('')
  await page.reload()
  await panel.getByRole('button', { name: 'a bad day', exact: true }).click()
  await bar().getByText('Offline').waitFor()
  await bar().getByText('Scenario payment-down').waitFor()
  expect(server.sent.at(-1)).toEqual(['PUT', 'overrides', { offline: true }])
  await panel.getByRole('button', { name: 'Delete a bad day' }).click()
  expect(await panel.getByRole('button', { name: 'a bad day', exact: true }).count()).toBe(0)
})

it('a HAR file that is dropped becomes fixtures, and the list becomes a HAR file', async () => {
  const server = await open()
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as HAR' }).click(),
  ])
  await has('Exported 7 requests')
  const har = await text(await saved.createReadStream())
  expect((JSON.parse(har) as { log: { entries: unknown[] } }).log.entries).toHaveLength(7)
  const drop = (name: string, content: string) =>
    page.evaluate(
      ([name, content]) => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File([content!], name!))
        document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }))
      },
      [name, content],
    )
  await drop('shop.har', har)
  const dialog = page.getByRole('dialog', { name: 'Import shop.har' })
  await dialog.getByText('2 routes').waitFor()
  await dialog.getByRole('button', { name: 'Write 1 file' }).click()
  await dialog.getByText('These routes answer:').waitFor()
  const asked = server.sent.map(([method, path, body]) => [
    method,
    path,
    (body as { dryRun: boolean }).dryRun,
  ])
  expect(asked).toEqual([
    ['POST', 'import', true],
    ['POST', 'import', false],
  ])
})

it('all misses of the list get a route each, in one new file', async () => {
  const inspected = shop()
  inspected.requests.push({ ...inspected.requests[7]!, id: 9, variables: 'cart: c-18' })
  const server = await open('', inspected)
  await page.getByRole('button', { name: 'Write fixtures for 2 misses' }).click()
  const dialog = page.getByRole('dialog', { name: 'Write fixtures for 2 misses' })
  await dialog.getByRole('button', { name: 'Write one file' }).click()
  await dialog.getByText('Done.').waitFor()
  expect(await dialog.getByRole('button', { name: 'fixtures/checkout-2.yaml:6' }).count()).toBe(2)
  const file = 'fixtures/checkout-2.yaml'
  expect(server.sent.map(([method, , body]) => [method, body])).toEqual([
    ['POST', { request: 8 }],
    ['PUT', expect.objectContaining({ file })],
    ['POST', { request: 9, file }],
    ['PUT', expect.objectContaining({ file })],
  ])
})

it('a form explains a request without sending it, and says what is wrong with one', async () => {
  const server = await open('#/try')
  await page.getByLabel('Path and query').fill('items')
  await page.getByRole('button', { name: 'Send' }).first().click()
  await page.getByRole('alert').getByText('Write path and query').waitFor()
  await page.getByLabel('Method').selectOption('POST')
  await page.getByLabel('Path and query').fill('/graphql')
  await page.getByLabel('Headers').fill('x-tenant: a')
  await page.getByLabel('Operation name').fill('New')
  await page.getByLabel('GraphQL').uncheck()
  expect(await page.getByLabel('Body').inputValue()).toBe('{"query":"","operationName":"New"}')
  await page.getByLabel('Body').fill('{}')
  await page.getByRole('button', { name: 'Explain without sending' }).click()
  await has('No route matched.')
  expect(server.sent).toEqual([
    ['POST', 'explain', { method: 'POST', url: '/graphql', headers: { 'x-tenant': 'a' }, body: '{}' }],
  ])
})

it('the form completes a query with the schema, and fills in an operation that was sent', async () => {
  await open('#/try')
  await page.getByLabel('Method').selectOption('POST')
  await page.getByLabel('Path and query').fill('/graphql')
  const query = page.getByRole('textbox', { name: 'Document' })
  await query.pressSequentially('{ her')
  await page.getByRole('option', { name: 'hero Hero' }).waitFor()
  await query.press('Tab')
  await query.pressSequentially(' { f')
  await query.press('Enter')
  expect(await query.inputValue()).toBe('{ hero { friends')
  await query.fill('')
  await page.getByLabel('Operation name').fill('Checkout')
  await expect.poll(() => query.inputValue()).toMatch(/^mutation Checkout/)
  expect(await page.getByLabel('Variables').inputValue()).toContain('"cart": "c-17"')
  // What was filled in is replaced, what was typed stays.
  await page.getByLabel('Operation name').fill('')
  await page.getByLabel('Operation name').fill('Checkout')
  await query.press('End')
  await query.pressSequentially(' ')
  const typed = await query.inputValue()
  await page.getByLabel('Operation name').fill('Cart')
  expect(await query.inputValue()).toBe(typed)
})

it('a server that stops is reported, and what has happened since is loaded when it is back', async () => {
  const inspected = shop()
  const server = await open('#/requests/8/answer', inspected)
  await has('1 GraphQL error')
  server.stop()
  await page.getByText('Disconnected').waitFor()
  // Another process: its requests count from 1 again.
  inspected.requests.splice(0, Infinity, { ...inspected.requests[1]!, id: 1, url: '/after-restart' })
  server.start()
  await connected()
  await has('/after-restart')
  // What the page knows stays, also the request that is looked at.
  expect(await rows().count()).toBe(8)
  await has('1 GraphQL error')
  await page.locator('#request--999997').click()
  await has('The dev server has restarted since')
  problems.splice(0) // the browser's own lines about the connection
})

const views = ['#/requests/8/decision?switches', '#/requests/8/request', '#/requests/3/answer', '#/requests']
const others = ['#/routes', '#/problems', '#/try']
/** A view is there once its link is the current one. */
async function viewOf(hash: string): Promise<void> {
  await page.locator(`nav a[href^="${/^#\/\w+/.exec(hash)![0]}"][aria-current]`).waitFor()
  await page.locator('main').locator('h2:visible, [role=option]:visible').first().waitFor()
}

it('nothing of a request, a route or a problem is taken for HTML', async () => {
  const server = await open('', withScripts(shop()))
  await page.evaluate(() => Object.assign(window, { ran: () => console.error('a script ran') }))
  for (const view of [...views, ...others]) {
    await page.goto(server.url + view)
    const shown =
      view === '#/try'
        ? page.locator('datalist option').first()
        : page.locator('main').getByText('ran()').first()
    await shown.waitFor({ state: 'attached' })
    await page.evaluate(() => {
      const folded = document.querySelectorAll<HTMLElement>(
        'details:not([open]) > summary, [aria-expanded=false]',
      )
      for (const element of folded) element.click()
    })
    const made = await page.evaluate(() => [
      document.querySelectorAll('img, iframe, object, embed, [onerror]').length,
      document.querySelectorAll('script').length,
    ])
    expect([view, ...made]).toEqual([view, 0, 1])
  }
})

const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index))
const sadPaths = many(113, (index) => {
  const kind = ['null', 'status', 'missing'][index % 3]
  const asked = { request: 'GET /orders', method: 'GET', path: '/orders' }
  return { ...asked, id: `GET /orders #${kind} f${index}`, kind, title: `f${index} is wrong` }
})
const withSadPaths = { 'GET sad-paths': () => ({ sadPaths, more: 0 }) }

it('no view is larger than its window, whatever it lists', async () => {
  // Each list is many times as long as the window, and some of its rows are long.
  const inspected = shop()
  const { requests, routes, diagnostics } = inspected
  const [miss] = requests.filter(({ answeredBy }) => answeredBy === 'nothing')
  requests.push(...many(200, (index) => ({ ...miss!, id: 100 + index, url: `/orders/${index}/${'a-long-name'.repeat(index % 30)}` })))
  routes.push(...many(200, (index) => ({ ...routes[0]!, id: `GET /r${index} #1` })))
  diagnostics.push(...many(50, () => diagnostics[0]!))
  const item = (id: number) => ({ id, ...Object.fromEntries(many(14, (index) => [`field${index}`, `value ${id}`])) })
  const info = { name: 'orders', path: '/orders', id: 'id', items: 5000, changes: 0 }
  const server = await open('', inspected, {
    ...withSadPaths,
    'GET collections': () => ({ collections: [info] }),
    'GET collections/orders': () => ({ ...info, shown: many(50, item), created: [], updated: [], deleted: [] }),
  })
  for (const view of ['#/requests/3/answer', '#/requests', ...others, '#/collections']) {
    await page.goto(server.url + view)
    await viewOf(view)
    if (view.endsWith('answer')) {
      await page.getByText('What if it fails?').click()
      await has('113 sad paths')
      for (const kind of ['An error status', 'A field is missing']) await page.getByText(kind).click()
    }
    if (view === '#/collections') await page.getByRole('cell', { name: 'value 9' }).first().waitFor()
    for (const width of [1440, 1024, 400]) {
      await page.setViewportSize({ width, height: 800 })
      const size = await page.evaluate(() => {
        const { scrollWidth, scrollHeight } = document.documentElement
        return [innerWidth, scrollWidth, scrollHeight]
      })
      expect([view, ...size]).toEqual([view, width, width, 800])
    }
  }
}) // prettier-ignore

it('sad paths are grouped, with a filter', async () => {
  await open('#/requests/3/answer', shop(), withSadPaths)
  await page.getByText('What if it fails?').click()
  await has('113 sad paths')
  const list = page.getByRole('region', { name: 'Sad paths' })
  const groups = list.locator('summary')
  expect(await groups.allInnerTexts()).toEqual(['A value is null 38', 'A field is missing 37', 'An error status 38'])
  expect(await list.getByRole('listitem').filter({ visible: true }).count()).toBe(38)
  await list.getByLabel('Filter sad paths').fill('f11 -null')
  expect(await groups.allInnerTexts()).toEqual(['A field is missing 2', 'An error status 1'])
  expect(await list.getByRole('listitem').filter({ visible: true }).count()).toBe(3)
}) // prettier-ignore

it('a miss that a route would answer now is no miss, and is sent again with a click', async () => {
  const inspected = shop()
  const request = inspected.requests.find(({ answeredBy }) => answeredBy === 'nothing')!
  request.isMended = true
  await open(`#/requests/${request.id}/decision`, inspected)
  await has('A route would answer this request now.')
  expect(await details().getByRole('button', { name: 'Make it match' }).count()).toBe(0)
  await page.getByRole('group', { name: 'Show only' }).getByRole('button', { name: 'Misses', exact: true }).waitFor()
  await page.locator('.notice').getByRole('button', { name: 'Send again' }).click()
  await has('HTTP 200')
}) // prettier-ignore

it('has no serious accessibility problem in any view, in both schemes, wide and narrow', async () => {
  const server = await open()
  await page.evaluate(() => fetch('api/scenario', { method: 'PUT', body: '{"scenario":["payment-down"]}' }))
  const looks = [
    ['light', 1280, undefined],
    ['dark', 400, rulesOfLook],
  ] as const
  const check = async (view: string) => {
    for (const [colorScheme, width, rules] of looks) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      await screenshot(page, `inspector-${colorScheme}-${width}-${view.replace(/\W+/g, '-').slice(1)}`)
      expect([view, colorScheme, await accessibilityProblems(page, rules)]).toEqual([view, colorScheme, []])
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth), view).toBe(400)
  }
  for (const view of [...views, ...others]) {
    await page.goto(server.url + view)
    await viewOf(view)
    await check(view)
  }
  await page.goto(`${server.url}#/requests/8`)
  await page.getByRole('button', { name: 'Write a fixture' }).click()
  await page.getByRole('dialog').getByLabel('New file').waitFor()
  await check('a dialog')
})
