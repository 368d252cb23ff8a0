/** The parameter `mockApi` of a story. */
export interface MockApiParameters {
  /** The scenario in which the story is shown, or a list of scenarios. Default: none. */
  scenario?: string | readonly string[]
}

/** The part of Storybook's story context that is used here, the same in every framework. */
export interface StoryContext {
  /** Such as `checkout--payment-down`. */
  id: string
  /** The parameters of the story, merged with those of its component and of the project. */
  parameters: Readonly<Record<string, unknown>>
}

/**
 * Shows each story in the scenario of its parameter `mockApi`, with sequences and rate limits from the start. Use it
 * as `beforeEach` in `.storybook/preview.ts`. The plugin answers the requests in Storybook's dev server, and the
 * service worker of a demo build in a published Storybook.
 *
 * The scenario is a cookie of the page, so stories on the same page, such as a docs page, share it. There,
 * `parameters: { docs: { story: { inline: false } } }` gives each story its own frame.
 *
 * @returns a function that removes the scenario, which Storybook calls
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

/** An empty value removes the cookie. */
function setCookie(name: string, value: string): void {
  document.cookie = `${name}=${value}; Path=/; SameSite=Lax${value === '' ? '; Max-Age=0' : ''}`
}
