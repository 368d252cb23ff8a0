import { XMLHttpRequestInterceptor } from '@mswjs/interceptors/XMLHttpRequest'
import type { FetchOptions } from '../../core/options/options.ts'
import { resolveFetchOptions } from '../../core/options/resolve-options.ts'
import type { Fixture } from '../../core/schema/schema.ts'
import { serveRoutes } from '../../server/web/serve-routes.ts'
import type { Mark } from './tap-page.ts'

/**
 * Answers in the page, where functions can be routes too. What no route answers is left to the network.
 * @throws MockApiError when a route or an option is invalid, with a diagnostic for each
 */
export function answerInPage(
  routes: Fixture,
  given: FetchOptions = {},
  sadPath: string | undefined,
): NonNullable<Mark['answer']> {
  const options = resolveFetchOptions({ unmatched: 'passthrough', allowedHosts: true, ...given }, console)
  const { answer, state } = serveRoutes(routes, options, {
    headersOf: ({ headers }) =>
      Promise.resolve({
        ...Object.fromEntries(headers),
        ...(document.cookie && { cookie: document.cookie }),
        'x-mock-scenario': '', // that of the dev server
      }),
    setCookies: (lines) => Promise.resolve(lines.forEach((line) => (document.cookie = line))),
    brokenConnection: () => Response.error(),
  })
  if (sadPath !== undefined) state.overrides.set({ sadPath })
  return (request) => answer(request)
}

let isTapped = false

/** `fetch` is easily replaced; an `XMLHttpRequest` that answers itself is not. */
export function tapXhr(mark: () => Mark | undefined): void {
  if (isTapped) return
  isTapped = true
  const interceptor = new XMLHttpRequestInterceptor()
  // Waited for, which its types do not say.
  const respond: (asked: Asked) => unknown = async ({ request, controller }) => {
    const { answer, begin } = mark() ?? {}
    const end = begin?.()
    try {
      const response = await answer?.(request)
      if (response) controller.respondWith(response)
    } finally {
      end?.()
    }
  }
  interceptor.on('request', respond)
  interceptor.apply()
}

interface Asked {
  request: Request
  controller: { respondWith: (response: Response) => void }
}
