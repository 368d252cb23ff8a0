import type { MockClient } from './client.ts'
import type { FetchOptions } from './core/options/options.ts'
import type { Fixture } from './core/schema/schema.ts'
import { clientOfStory, startStory } from './intercept/browser/stories.ts'
import { createMenus, fillMenus, type ToolbarMenu } from './intercept/browser/story-toolbar.ts'

export type { MockClient } from './client.ts'
export type { FetchOptions, Logger, LogLevel } from './core/options/options.ts'
export type { Fixture } from './core/schema/schema.ts'
export type { ToolbarMenu } from './intercept/browser/story-toolbar.ts'

/** The parameter `mockApi` of a story. */
export interface MockApiParameters {
  /** The scenario in which the story is shown, or a list of scenarios. Default: none. */
  scenario?: string | readonly string[]
  /**
   * Routes of the story, as in a fixture file. They answer `fetch` and `XMLHttpRequest` in the page, before all others,
   * and what they do not match is left to the dev server.
   */
  routes?: Fixture
  /** The id of a sad path, such as `GET /orders #status 503`. */
  sadPath?: string
  /** The options for `routes`, such as `base`. There are no checks against a GraphQL schema. */
  options?: Omit<FetchOptions, 'graphql'> & {
    graphql?: Pick<NonNullable<FetchOptions['graphql']>, 'path' | 'shape'>
  }
}

/** The part of Storybook's story context that is used here, the same in every framework. */
export interface StoryContext {
  /** Such as `checkout--payment-down`. */
  id: string
  /** The parameters of the story, merged with those of its component and of the project. */
  parameters: Readonly<Record<string, unknown>>
  /** Choices of the toolbar. */
  globals?: Readonly<Record<string, unknown>>
  /** The element in which the story is rendered. */
  canvasElement: Element
  /** `docs` on a docs page, `story` elsewhere. */
  viewMode?: string | undefined
  /** Aborted when another story is chosen. */
  abortSignal?: AbortSignal
}

/**
 * Shows each story with the answers of its parameter `mockApi`, and with sequences and rate limits from the start. Use it
 * as `beforeEach` in `.storybook/preview.ts`. The plugin answers the requests in Storybook's dev server, and the
 * service worker of a demo build in a published Storybook.
 *
 * Each story is a client of its own. On a docs page, stories start one after the other, and a later request is one of the story
 * that was used last.
 *
 * @returns a function that ends it, which Storybook calls
 * @throws TypeError when the parameter is not such an object; MockApiError when a route is invalid
 *
 * @example
 * // .storybook/preview.ts
 * import { mockApiToolbar, withMockApi } from 'unplugin-mock-api/storybook'
 *
 * export default { beforeEach: withMockApi, globalTypes: mockApiToolbar() }
 *
 * @example
 * // src/checkout.stories.ts
 * export const PaymentDown = { parameters: { mockApi: { scenario: 'payment-down' } } }
 *
 * @see https://storybook.js.org/docs/writing-tests/interaction-testing#run-code-before-each-test
 */
export function withMockApi(context: StoryContext): Promise<() => void> {
  const { id, parameters, globals, canvasElement, viewMode, abortSignal: signal } = context
  const { scenario = [], routes, sadPath, options } = readParameter(parameters['mockApi'])
  const place = { id, canvasElement, signal, isOnDocsPage: viewMode === 'docs' }
  const chosen = (name: string) => (globals?.[name] || undefined) as string | undefined
  const scenarios = [chosen('mockScenario') ?? scenario].flat()
  const answers = { scenarios, routes, options, sadPath: chosen('mockSadPath') ?? sadPath }
  return startStory(place, answers, () => void fillMenus())
}

/**
 * Menus of the toolbar for the scenarios of the dev server, and for the sad paths of what the shown stories have asked. What is
 * chosen there comes before the parameters of stories.
 *
 * @example
 * // .storybook/preview.ts
 * export default { beforeEach: withMockApi, globalTypes: mockApiToolbar() }
 */
export function mockApiToolbar(): Record<'mockScenario' | 'mockSadPath', ToolbarMenu> {
  return createMenus()
}

/**
 * The control API of the dev server, for a story alone.
 *
 * @throws Error when the story is not shown with `withMockApi`
 *
 * @example
 * play: async (context) => {
 *   await userEvent.click(context.canvas.getByText('Buy'))
 *   await mockApi(context).waitForRequest({ path: '/orders' })
 * }
 */
export function mockApi({ canvasElement }: Pick<StoryContext, 'canvasElement'>): MockClient {
  return clientOfStory(canvasElement)
}

const keys = ['scenario', 'routes', 'sadPath', 'options'] satisfies (keyof MockApiParameters)[]

function readParameter(given: unknown = {}): MockApiParameters {
  const { scenario = [], sadPath = '' } = Object(given) as MockApiParameters
  const isValid =
    typeof given === 'object' &&
    [scenario, sadPath].flat().every((text) => typeof text === 'string') &&
    Object.keys(given ?? {}).every((key) => (keys as string[]).includes(key))
  if (isValid) return given ?? {}
  throw new TypeError(
    `The parameter "mockApi" of a story is { scenario: 'name' }, or has the keys ${keys.join(', ')}, but it is ${JSON.stringify(given)}.`,
  )
}
