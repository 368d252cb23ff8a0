/*
 * Where the user is in the inspector. The URL's hash holds it, so that a reload, the back button and a shared link keep it.
 */

export const views = ['requests', 'routes', 'problems', 'try'] as const
export type View = (typeof views)[number]

export const tabs = ['decision', 'request', 'answer'] as const
export type Tab = (typeof tabs)[number]

export interface Place {
  view: View
  /** The id of the selected request. */
  request: number | undefined
  tab: Tab
  /** What the list of requests, or of routes, is filtered by. */
  filter: string
  /** Whether the panel with scenarios and overrides is open. */
  switches: boolean
  /** Whether requests that were passed on are recorded and listed too. */
  passed: boolean
}

/** `#/requests/42/answer?filter=checkout&switches`. Anything else is the start. */
export function parsePlace(hash: string): Place {
  const [, path = '', query = ''] = /^#?\/?([^?]*)\??(.*)$/.exec(hash) ?? []
  const [view, id = '', tab] = path.split('/')
  const params = new URLSearchParams(query)
  return {
    view: views.find((known) => known === view) ?? 'requests',
    request: view === 'requests' && /^\d+$/.test(id) ? Number(id) : undefined,
    tab: tabs.find((known) => known === tab) ?? 'decision',
    filter: params.get('filter') ?? '',
    switches: params.has('switches'),
    passed: params.has('passed'),
  }
}

/** The inverse of {@link parsePlace}. */
export function formatPlace({ view, request, tab, filter, switches, passed }: Place): string {
  const path = view === 'requests' && request !== undefined ? `${view}/${request}/${tab}` : view
  const query = [
    ...(filter ? [`filter=${encodeURIComponent(filter)}`] : []),
    ...(switches ? ['switches'] : []),
    ...(passed ? ['passed'] : []),
  ]
  return `#/${path}${query.length > 0 ? `?${query.join('&')}` : ''}`
}
