/* The URL's hash holds the place, so that a reload, the back button and a shared link keep it. */

export const views = ['requests', 'routes', 'collections', 'problems', 'reality', 'try'] as const
export type View = (typeof views)[number]

export const tabs = ['decision', 'request', 'answer'] as const
export type Tab = (typeof tabs)[number]

export interface Place {
  view: View
  request: number | undefined
  tab: Tab
  filter: string
  switches: boolean
  /** Whether requests that were passed on are recorded and listed too. */
  passed: boolean
  /** Whether equal requests that follow one another have a line each. */
  each: boolean
}

/** `#/requests/42/answer?filter=checkout&switches`. Anything else is the start. */
export function parsePlace(hash: string): Place {
  const [, path = '', query = ''] = /^#?\/?([^?]*)\??(.*)$/.exec(hash) ?? []
  const [view, id = '', tab] = path.split('/')
  const params = new URLSearchParams(query)
  return {
    view: views.find((known) => known === view) ?? 'requests',
    request: view === 'requests' && /^-?\d+$/.test(id) ? Number(id) : undefined,
    tab: tabs.find((known) => known === tab) ?? 'decision',
    filter: params.get('filter') ?? '',
    switches: params.has('switches'),
    passed: params.has('passed'),
    each: params.has('each'),
  }
}

export function formatAddress({ view, request, tab, filter, switches, passed, each }: Place): string {
  const path = view === 'requests' && request !== undefined ? `${view}/${request}/${tab}` : view
  const query = [
    ...(filter ? [`filter=${encodeURIComponent(filter)}`] : []),
    ...(switches ? ['switches'] : []),
    ...(passed ? ['passed'] : []),
    ...(each ? ['each'] : []),
  ]
  return `#/${path}${query.length > 0 ? `?${query.join('&')}` : ''}`
}
