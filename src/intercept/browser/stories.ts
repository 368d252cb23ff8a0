import { createClient, type MockClient } from '../../client.ts'
import type { FetchOptions } from '../../core/options/options.ts'
import type { Fixture } from '../../core/schema/schema.ts'
import type { SadPath } from '../../inspector/api/api.ts'
import { originals, tapPage, type Mark } from './tap-page.ts'

/** The answers that a story is shown with. */
export interface StoryAnswers {
  scenarios: readonly string[]
  routes: Fixture | undefined
  sadPath: string | undefined
  options: FetchOptions | undefined
}

/** Where a story is shown. */
export interface StoryPlace {
  id: string
  canvasElement: Element
  /** On a docs page, there are other stories. */
  isOnDocsPage: boolean
  signal: AbortSignal | undefined
}

interface Story extends Mark {
  id: string
  client: string
  scenarios: string
  /** Changes with its answers. */
  key: string
  begin: () => () => void
  isRendered: boolean
  /** Requests without an answer. */
  pending: number
  lastChange: number
}

const stories = new Map<Element, Story>()
/** A browser does not say which story sends a request: the last that was started or used, or that got an answer. */
let current: Story | undefined
/** The stories of a docs page start one after the other. */
let turn: Promise<unknown> = Promise.resolve()
/** Milliseconds after which the start of a story is over: with nothing to wait for, without an answer, and in all. */
const quiet = 60
const patience = 1000
const limit = 10_000

interface Phase {
  storyId: string
  newPhase: string
  renderId: number
}
interface StorybookPage {
  __STORYBOOK_ADDONS_CHANNEL__?: {
    on: (event: string, listener: (phase: Phase) => void) => void
    emit: (event: string, value: unknown) => void
  }
}
const channel = () => (globalThis as StorybookPage).__STORYBOOK_ADDONS_CHANNEL__

/** @returns a function for when the story is gone */
export async function startStory(place: StoryPlace, answers: StoryAnswers, onStarted: () => void) {
  const { id, canvasElement: element, isOnDocsPage, signal } = place
  const key = JSON.stringify([answers.scenarios, answers.sadPath])
  const known = stories.get(element)
  const end = () => {
    const story = stories.get(element)
    stories.delete(element)
    if (story && current === story) use(undefined)
  }
  const aborted = new Promise<void>((resolve) => {
    if (signal?.aborted) resolve()
    signal?.addEventListener('abort', () => resolve())
  })
  // Storybook renders a story again when an argument changes, or a choice of the toolbar, which is nothing to a component.
  if (known?.id === id && known.key === key) return end
  if (known?.id === id) {
    known.key = key
    void remount(id)
    return end
  }
  tapOnce()
  const before = turn
  let leave = () => {}
  if (isOnDocsPage) {
    turn = new Promise<void>((resolve) => (leave = resolve))
    await Promise.race([before, aborted])
  }
  if (signal?.aborted) {
    void before.then(leave)
    return end
  }
  const story = createStory(id, key, answers.scenarios)
  stories.set(element, story)
  use(story)
  const settled = Promise.race([aborted, prepare(story, answers)])
  await settled.catch((error: unknown) => {
    leave()
    end()
    throw error
  })
  void settle(story, signal).then(() => {
    leave()
    onStarted()
  })
  return end
}

/** The client of a story. */
export function clientOfStory(element: Element): MockClient {
  const story = stories.get(element)
  if (story) return controlApi(story)
  throw new Error('This story has no mock API: add beforeEach: withMockApi to .storybook/preview.ts.')
}

/** The sad paths of what the shown stories have asked. */
export async function sadPathsOfStories(): Promise<SadPath[]> {
  const lists = await Promise.all([...stories.values()].map((story) => controlApi(story).sadPaths()))
  return lists.flat()
}

/** Asks without the headers of a story. */
function controlApi({ client }: Story): MockClient {
  return createClient(location.origin, { client, fetch: originals().fetch })
}

function createStory(id: string, key: string, names: readonly string[]): Story {
  // A name that no other story has used, so its sequences start over.
  const client = `${id}-${Math.random().toString(36).slice(2)}`
  const scenarios = names.map((name) => encodeURIComponent(name)).join()
  const story: Story = {
    id,
    key,
    client,
    scenarios,
    isRendered: false,
    pending: 0,
    lastChange: Date.now(),
    headers: { 'x-mock-client': client, ...(scenarios !== '' && { 'x-mock-scenario': scenarios }) },
    begin() {
      story.pending++
      story.lastChange = Date.now()
      return () => {
        story.pending--
        story.lastChange = Date.now()
        if ([...stories.values()].includes(story)) use(story) // what it asks next is asked now
      }
    },
  }
  return story
}

async function prepare(story: Story, { routes, sadPath, options }: StoryAnswers): Promise<void> {
  if (routes) {
    const { answerInPage, tapXhr } = await import('./story-routes.ts')
    story.answer = answerInPage(routes, options, sadPath)
    tapXhr(() => (current?.answer ? current : undefined))
  }
  if (sadPath === undefined) return
  await controlApi(story)
    .override({ sadPath })
    .catch((error: unknown) => {
      if (!routes) throw error // without a dev server, it is for the routes in the page
    })
}

async function settle(story: Story, signal: AbortSignal | undefined): Promise<void> {
  const start = Date.now()
  const isOver = () => {
    const most = !story.isRendered || story.pending > 0 ? patience : quiet
    return Date.now() - start > limit || Date.now() - Math.max(start, story.lastChange) > most
  }
  while (!signal?.aborted && !isOver()) await wait(20)
}

/** Headers tell stories apart; elements and sockets only have cookies. */
function use(story: Story | undefined): void {
  if (current === story) return
  current = story
  setCookie('mock-client', story?.client ?? '')
  setCookie('mock-scenario', story?.scenarios ?? '')
}

let isTapped = false

function tapOnce(): void {
  if (isTapped) return
  isTapped = true
  tapPage(() => current)
  for (const type of ['pointerdown', 'click', 'keydown'])
    document.addEventListener(
      type,
      ({ target }) => {
        const used = [...stories].find(([element]) => element.contains(target as Node))
        if (used) use(used[1])
      },
      true,
    )
  channel()?.on('storyRenderPhaseChanged', ({ storyId, newPhase, renderId }) => {
    if (/^(?:preparing|loading|beforeEach|rendering|playing|afterEach)$/.test(newPhase))
      rendering.set(renderId, storyId)
    else rendering.delete(renderId)
    if (newPhase !== 'completed') return
    for (const story of stories.values())
      if (story.id === storyId) Object.assign(story, { isRendered: true, lastChange: Date.now() })
  })
}

/** The stories that Storybook renders now, by the number of the render. */
const rendering = new Map<number, string>()
const remounted = new Set<string>()

/** Storybook reloads the page if a story is removed while it renders. A docs page has its first story twice. */
async function remount(id: string): Promise<void> {
  if (remounted.has(id)) return
  remounted.add(id)
  do await wait(20)
  while ([...rendering.values()].includes(id))
  remounted.delete(id)
  channel()?.emit('forceRemount', { storyId: id })
}

/** An empty value removes the cookie. */
function setCookie(name: string, value: string): void {
  document.cookie = `${name}=${value}; Path=/; SameSite=Lax${value === '' ? '; Max-Age=0' : ''}`
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
