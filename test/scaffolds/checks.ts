/* The tests of a scaffold, with its dev server running and its page open in Chromium. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { testContract } from '../contract.ts'
import { connectBrowser } from '../e2e/browser.ts'
import { packageRoot } from '../installed/install.ts'
import { openPage, sendFrom } from './page.ts'
import { createProject, serve, type Project, type Served } from './project.ts'
import type { Scaffold } from './scaffold.ts'
import { resolutions, typeErrors } from './types.ts'

const template = readFileSync(join(packageRoot, 'fixtures/items.yaml'), 'utf8')
type List = { data: { name: string }[] }

export interface Started {
  project: Project
  server: Served
  page: Page
}

/** To be called in a `describe`. Returns what the tests of that scaffold alone need. */
export function testScaffold(scaffold: Scaffold): () => Started {
  let browser: Browser | undefined
  let project: Project | undefined
  let server: Served | undefined
  let page: Page | undefined
  beforeAll(async () => {
    project = await createProject(scaffold, inject('tarball'))
    server = await serve(project)
    browser = await connectBrowser()
    page = await browser.newPage()
    await openPage(page, scaffold, server)
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
    project?.remove()
  })
  const started = () => ({ project: project!, server: server!, page: page! })
  const send = sendFrom(() => page!)

  testContract(send)

  if (scaffold.byHand === undefined)
    it('init says what it has written, and the server which routes it has', () => {
      // A project with MSW, whose types it has, gets no starter files: its routes are those of the templates.
      expect(started().project.init).toMatch(
        new RegExp(`^Written: ${scaffold.config}(?:, tsconfig[\\w.]*)*(?:, fixtures/\\w+\\.yaml)*$`, 'm'),
      )
      if (scaffold.announced !== 0) expect(server!.output()).toContain('5 routes from ')
    })

  if (scaffold.build)
    it('the production build is the same, byte by byte', () => {
      const { without, with: withPlugin } = started().project.built!
      expect(Object.keys(withPlugin)).toEqual(Object.keys(without))
      const different = Object.keys(without).filter((name) => withPlugin[name] !== without[name])
      expect(different).toEqual([])
    })

  if (scaffold.announced !== undefined)
    it('says which routes it has, and is in the server once', () => {
      expect(server!.output().split('Mock API: ').length - 1).toBe(scaffold.announced)
      expect(server!.output()).not.toContain('plugin-duplicate')
    })

  it('the page sees each edit of a fixture file, which is loaded once', async () => {
    const { cwd } = started().project
    const path = join(cwd, 'fixtures/items.yaml')
    mkdirSync(join(cwd, 'fixtures'), { recursive: true })
    for (const name of ['Edited', 'Edited again', 'Edited for the last time']) {
      // Renamed into its place, it is never seen half written.
      writeFileSync(join(cwd, 'edited.yaml'), template.replace('name: Item 1', `name: ${name}`))
      renameSync(join(cwd, 'edited.yaml'), path)
      const firstName = async () => (JSON.parse((await send({ url: '/items' })).text) as List).data[0]!.name
      await expect.poll(firstName).toBe(name)
    }
    expect(server!.output().match(/reloaded: /g)).toHaveLength(3)
  })

  if (scaffold.types) {
    // What they differ in is this package's. Vite's own types take the least time.
    const all = Object.keys(resolutions) as (keyof typeof resolutions)[]
    const names = scaffold.config.startsWith('vite') ? all : all.slice(0, 1)
    it.each(names)('the types hold under moduleResolution %s', async (name) => {
      expect(await typeErrors(started().project, name)).toEqual([])
    })
  }

  return started
}
