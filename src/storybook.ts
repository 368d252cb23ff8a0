/** What the parameter `mockApi` of a story can say. */
export interface MockApiParameters {
  /** The scenario in which the story is shown, or a list of them. Default: none. */
  scenario?: string | readonly string[]
}

/** The part of Storybook's story context that is used here, the same in every framework. */
export interface StoryContext {
  /** Such as `checkout--payment-down`. */
  id: string
  /** The parameters of the story, with those of its component and of the project. */
  parameters: Readonly<Record<string, unknown>>
}

/**
 * Shows each story in the scenario that its parameter `mockApi` names, with sequences and rate limits from the start: what
 * runs before each story, for `.storybook/preview.ts`. The requests are answered by the plugin in Storybook's dev server, and
 * in a published Storybook by the service worker of a demo build.
 *
 * The scenario is a cookie of the page. Stories that are shown at the same time on one page therefore share it, as on a
 * docs page, where `parameters: { docs: { story: { inline: false } } }` gives each story a page of its own.
 *
 * @returns what takes the scenario away again, which Storybook calls
 * @throws TypeError when the parameter is not an object with a `scenario`
 *
 * @example
 * // .storybook/preview.ts
 * import { withMockApi } from 'unplugin-mock-api/storybook'
 *
 * export default { beforeEach: withMockApi }
 *
 * @example
 * // src/checkout.stories.ts
 * export const PaymentDown = { parameters: { mockApi: { scenario: 'payment-down' } } }
 *
 * @see https://storybook.js.org/docs/writing-tests/interaction-testing#run-code-before-each-test
 */
export function withMockApi({ id, parameters }: StoryContext): () => void {
  const scenarios = scenariosIn(parameters['mockApi'])
  // A client name that no other story has used, so its sequences start over.
  setCookie('mock-client', `${id}-${Math.random().toString(36).slice(2)}`)
  setCookie('mock-scenario', scenarios.map((name) => encodeURIComponent(name)).join())
  return () => {
    setCookie('mock-client', '')
    setCookie('mock-scenario', '')
  }
}

function scenariosIn(given: unknown): readonly string[] {
  if (given === undefined) return []
  const { scenario = [], ...others } = Object(given) as MockApiParameters
  const names = [scenario].flat()
  if (
    typeof given !== 'object' ||
    names.some((name) => typeof name !== 'string') ||
    Object.keys(others).length > 0
  )
    throw new TypeError(
      `The parameter "mockApi" of a story is { scenario: 'name' }, or a list of names, but it is ${JSON.stringify(given)}.`,
    )
  return names
}

/** An empty value takes the cookie away. */
function setCookie(name: string, value: string): void {
  document.cookie = `${name}=${value}; Path=/; SameSite=Lax${value === '' ? '; Max-Age=0' : ''}`
}
