import { createClient, type RequestFilter, type WaitOptions } from './client.ts'
import type { Overrides, RequestDetails, RequestSummary } from './inspector/api/api.ts'

export type { RequestFilter, WaitOptions } from './client.ts'
export type { Overrides, RequestDetails, RequestSummary } from './inspector/api/api.ts'

/** A filter as `cy.task` can send it. */
export type TaskFilter = Omit<RequestFilter, 'path'> & {
  /** The path of the URL, without its query. A regular expression can't be sent. */
  path?: string
}

/** The tasks, as functions. Cypress refuses a task that returns `undefined`. */
export interface MockApiTasks {
  /** Activates scenarios, by name; an empty list deactivates all. */
  'mockApi:scenario': (names: string | readonly string[]) => Promise<null>
  /** The recorded requests, newest first. */
  'mockApi:requests': (filter?: TaskFilter | null) => Promise<RequestSummary[]>
  /** Waits until a request that fits has been answered, `timeout` milliseconds at most. Default 5000. */
  'mockApi:waitForRequest': (filter?: (TaskFilter & WaitOptions) | null) => Promise<RequestDetails>
  /** The next request fails, or the next `count` ones. Default: one, with a 500. */
  'mockApi:failNext': (failure?: Partial<NonNullable<Overrides['failNext']>> | null) => Promise<null>
  /** Replaces the overrides; an empty object switches everything off. */
  'mockApi:override': (overrides: Overrides) => Promise<null>
  /** Makes the answers of a sad path go wrong, such as `GET /orders #status 503`; without one, no longer. */
  'mockApi:force': (sadPath?: string | null) => Promise<null>
  /** Resets scenarios, overrides, sequences and recorded requests. */
  'mockApi:reset': () => Promise<null>
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- where Cypress declares its commands
  namespace Cypress {
    // eslint-disable-next-line @typescript-eslint/no-explicit-any, @typescript-eslint/no-unused-vars -- as Cypress has it
    interface Chainable<Subject = any> {
      task<Name extends keyof MockApiTasks>(
        event: Name,
        ...given: [...Parameters<MockApiTasks[Name]>, options?: { log?: boolean; timeout?: number }]
      ): Chainable<Awaited<ReturnType<MockApiTasks[Name]>>>
    }
  }
}

/**
 * Adds tasks to Cypress that switch the answers of the dev server at `baseUrl`.
 *
 * @param on of `setupNodeEvents`
 * @param config of `setupNodeEvents`
 * @throws Error when the config has no `baseUrl`
 *
 * @example
 * // cypress.config.ts
 * export default defineConfig({
 *   e2e: { baseUrl: 'http://localhost:5173', setupNodeEvents: (on, config) => mockApi(on, config) },
 * })
 *
 * @example
 * cy.task('mockApi:scenario', 'payment-down')
 */
export function mockApi(
  on: (event: 'task', tasks: Pick<MockApiTasks, keyof MockApiTasks>) => unknown, // an interface has no index signature
  { baseUrl }: { baseUrl?: string | null },
): void {
  if (!baseUrl)
    throw new Error(
      "mockApi(on, config) needs the address of the dev server. Add it to cypress.config.ts: e2e: { baseUrl: 'http://localhost:5173' }",
    )
  const client = createClient(new URL(baseUrl).origin)
  const nothing = async (work: Promise<unknown>) => {
    await work
    return null
  }
  on('task', {
    'mockApi:scenario': (names) => nothing(client.setScenario(names)),
    'mockApi:requests': (filter) => client.requests(filter ?? {}),
    'mockApi:waitForRequest': (given) => {
      const { timeout = 5000, ...filter } = given ?? {}
      return client.waitForRequest(filter, { timeout })
    },
    'mockApi:failNext': (failure) => nothing(client.override({ failNext: { count: 1, ...failure } })),
    'mockApi:override': (overrides) => nothing(client.override(overrides)),
    'mockApi:force': (sadPath) => nothing(client.force(sadPath ?? undefined)),
    'mockApi:reset': () => nothing(client.reset()),
  })
}
