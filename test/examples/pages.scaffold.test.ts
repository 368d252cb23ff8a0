/*
 * The examples that have a page: started by the commands of their README, from the packed package, and looked at in
 * Chromium. Needs `npm run build`.
 */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accessibilityProblems } from '../e2e/accessibility.ts'
import { connectBrowser } from '../e2e/browser.ts'
import { createExample, takeScreenshots, until, type Example } from './example.ts'

interface PageExample {
  name: string
  /** What is visible, from the first page of the list to its end. */
  look: (page: Page) => Promise<void>
  /** A file of its fixtures, a text that the page shows, and another. */
  edit: [file: string, before: string, after: string]
  /** What its second command starts, if that is a server: the same page, with the mock API. */
  production?: true
  /** Whether it installs nothing that a browser can't load. */
  withoutNative?: true
}

const button = (page: Page, name: string) => page.getByRole('button', { name })
const rows = (page: Page) => page.getByRole('main').getByRole('listitem').locator('strong')
const alert = (page: Page) => page.getByRole('main').getByRole('alert')

const examples: PageExample[] = [
  {
    name: 'react-apollo',
    async look(page) {
      await seen(page, 'Copies left: unknown')
      await waitForText(alert(page), 'The loans service does not answer. (bookOfTheMonth.copiesLeft)')
      await waitForCount(page, 4)
      await button(page, 'Load more').click()
      await waitForCount(page, 8)
      await button(page, 'Load more').click()
      await seen(page, 'That is all: 10 books.')
      expect(await rows(page).allTextContents()).toEqual([
        'Middlemarch',
        'Invisible Cities',
        'Things Fall Apart',
        'The Left Hand of Darkness',
        'Pedro Páramo',
        'The Makioka Sisters',
        'Beloved',
        'Season of Migration to the North',
        'The Master and Margarita',
        'Kindred',
      ])
      expect(await button(page, 'Load more').count()).toBe(0)
    },
    edit: ['fixtures/books.json', 'Middlemarch', 'Silas Marner'],
  },
  {
    name: 'vue-rsbuild',
    async look(page) {
      await seen(page, 'Page 1 of 3')
      expect(await rows(page).count()).toBe(5)
      expect(await button(page, 'Previous').isDisabled()).toBe(true)
      await button(page, 'Next').click()
      await seen(page, 'Page 2 of 3')
      await button(page, 'Next').click()
      await seen(page, 'Page 3 of 3')
      expect(await rows(page).allTextContents()).toEqual([
        'Search finds archived projects',
        'Two-factor code never arrives',
      ])
      expect(await button(page, 'Next').isDisabled()).toBe(true)

      await page.goto(`${page.url()}?mock-scenario=all-done`)
      await seen(page, 'All done. No open tickets.')
      await page.goto(`${new URL(page.url()).origin}/?mock-scenario=`)
      await seen(page, 'Page 1 of 3')
    },
    edit: ['fixtures/tickets.json', 'Invoice shows the old address', 'Invoice shows no address'],
  },
  {
    name: 'webpack-javascript',
    async look(page) {
      await seen(page, '12 seats')
      expect(await rows(page).allTextContents()).toEqual(['Attic', 'Garden room', 'Library'])
      await button(page, 'Book Attic').click()
      await waitForText(page.getByRole('status'), 'Attic is yours from 14:00 to 15:00.')
      await button(page, 'Book Garden room').click()
      await waitForText(alert(page), 'The connection broke. Please try again.')
      await button(page, 'Book Library').click()
      await waitForText(alert(page), 'The library is taken until 16:00.')
    },
    edit: ['fixtures/rooms.yaml', 'name: Attic', 'name: Loft'],
  },
  {
    name: 'browser-container',
    async look(page) {
      await waitForCount(page, 2)
      const add = async (title: string) => {
        await page.getByLabel('Task').fill(title)
        await button(page, 'Add').click()
      }
      await add('Call Ada')
      await waitForText(page.getByRole('status'), 'Added: Call Ada.')
      await page.reload()
      await waitForCount(page, 3)
      await page.goto(`${page.url()}?mock-scenario=read-only`)
      await add('Call Bob')
      await waitForText(alert(page), 'The list is read-only today.')
      await page.goto(`${new URL(page.url()).origin}/?mock-scenario=`)
      await waitForCount(page, 3)
    },
    edit: ['fixtures/tasks.yaml', 'title: Water the plants', 'title: Water the trees'],
    withoutNative: true,
  },
  {
    name: 'next-route-handler',
    async look(page) {
      await button(page, 'Reserve a seat in NJ 40457').click()
      await waitForText(page.getByRole('status'), 'Coach 21, seat 46 is yours.')
      await button(page, 'Reserve a seat in EN 345').click()
      await waitForText(alert(page), 'EN 345 is full.')
      await waitForCount(page, 3)
      await button(page, 'Load more').click()
      await waitForCount(page, 6)
      await button(page, 'Load more').click()
      await seen(page, 'That is all: 7 trains.')
      expect(await rows(page).last().textContent()).toBe('23:49 Budapest')
    },
    edit: ['fixtures/departures.yaml', 'destination: Vienna', 'destination: Graz'],
    production: true,
  },
  {
    name: 'sveltekit',
    async look(page) {
      // Rendered on the server: the list is in the HTML.
      expect(await (await fetch(page.url())).text()).toContain('Round the lake')
      await seen(page, '1 to 3 of 5')
      await clickUntil(page, 'Weather at Ridge path', () => alert(page).count())
      await waitForText(alert(page), 'The weather station does not answer.')
      await button(page, 'Weather at Through the gorge').click()
      await waitForText(page.getByRole('status'), 'Light rain, 13 °C')
      await page.getByRole('link', { name: 'Next' }).click()
      await seen(page, '4 to 5 of 5')
      expect(await rows(page).allTextContents()).toEqual(['Summit and back', 'To the chapel'])
      expect(await page.getByRole('link', { name: 'Next' }).count()).toBe(0)
    },
    edit: ['fixtures/hikes.yaml', 'name: Ridge path', 'name: Ridge and valley'],
    production: true,
  },
  {
    name: 'sign-in',
    async look(page) {
      const signIn = async (user: string) => {
        await button(page, 'Sign in').click()
        await page.getByRole('link', { name: user }).click()
      }
      await signIn('Bob Okafor')
      await seen(page, 'Nothing is borrowed.')
      await button(page, 'Sign out').click()
      await signIn('Ada Lovelace')
      await waitForCount(page, 2)
      await page.request.post(`${new URL(page.url()).origin}/oidc/expire`)
      await page.reload() // gets a 401, then another token
      await waitForCount(page, 2)
      expect(await rows(page).allTextContents()).toEqual(['Middlemarch', 'Invisible Cities'])
    },
    edit: ['fixtures/loans.ts', 'Middlemarch', 'Silas Marner'],
  },
]

async function seen(page: Page, text: string): Promise<void> {
  await page.getByText(text, { exact: true }).first().waitFor()
}

async function waitForText(locator: ReturnType<Page['locator']>, text: string): Promise<void> {
  await expect.poll(() => locator.allTextContents()).toEqual([text])
}

async function waitForCount(page: Page, count: number): Promise<void> {
  await expect.poll(() => rows(page).count()).toBe(count)
}

/** A page from the server does nothing until its script has run. */
async function clickUntil(page: Page, name: string, holds: () => Promise<number>): Promise<void> {
  await expect
    .poll(async () => {
      await button(page, name).click()
      return holds()
    })
    .toBe(1)
}

let browser: Browser
beforeAll(async () => {
  browser = await connectBrowser()
})
afterAll(() => browser.close())

describe.each(examples)('$name', ({ name, look, edit: [file, before, after], production, withoutNative }) => {
  let example: Example
  beforeAll(() => {
    example = createExample(name)
  })
  afterAll(() => example.remove())

  async function withPage(origin: string, use: (page: Page) => Promise<void>): Promise<void> {
    const context = await browser.newContext()
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    const errors: string[] = []
    page.on('pageerror', ({ message }) => errors.push(message))
    try {
      await page.goto(origin)
      await use(page)
      expect(errors).toEqual([])
    } finally {
      await context.close()
    }
  }

  it('the first command installs it and starts its page, which follows its fixtures', async () => {
    expect(example.commands).toHaveLength(2)
    const server = await example.serve(example.commands[0]!)
    try {
      await withPage(server.origin, async (page) => {
        await look(page)
        await takeScreenshots(page, name)
        expect(await accessibilityProblems(page)).toEqual([])

        const undo = example.edit(file, before, after)
        const text = after.replace(/^\w+: /, '')
        const isShown = async () => {
          await page.goto(server.origin)
          await rows(page).first().waitFor()
          return (await rows(page).first().textContent())?.includes(text) === true
        }
        await until(`the edit of ${file}`, isShown, server)
        undo()
      })
    } finally {
      await server.stop()
    }
    if (withoutNative)
      expect(example.files().filter((name) => /\.(?:node|so|dylib|exe)$/.test(name))).toEqual([])
  })

  it('the second command builds it', async () => {
    if (production !== true) {
      const { code, output } = await example.run(example.commands[1]!)
      return expect(code, output).toBe(0)
    }
    const server = await example.serve(example.commands[1]!)
    try {
      await withPage(server.origin, look)
    } finally {
      await server.stop()
    }
  })
})
