import { scenarioCookie } from '../../core/http/whose-state.ts'
import type { StreamEvent } from '../../inspector/api/api.ts'
import { calm, createNotice } from './notice.ts'

type StateEvent = Extract<StreamEvent, { event: 'state' }>

let host: HTMLElement | undefined
let label: HTMLElement | undefined
let isDismissed = false
let changes: EventSource | undefined

/** Shows what is switched on, and links the inspector. The description is such as `payment-down /__mock-api/`. */
export function tellSwitched(description: string): void {
  const [written = '', address = ''] = description.split(' ')
  if (isDismissed || navigator.webdriver || !URL.canParse(address, location.origin)) return
  const inspector = new URL(address, location.origin)
  if (!host) ({ host, label } = create(inspector))
  label!.textContent = `Mock API: ${decodeURIComponent(written)}`
  if (!changes) follow(inspector)
  if (document.body) show()
  else addEventListener('DOMContentLoaded', show, { once: true })
}

function show(): void {
  if (!isDismissed && !host!.isConnected) document.body.append(host!)
}

/** Hides the notice once all is ended. Not in a hidden page: a browser opens few connections to a server. */
function follow(inspector: URL): void {
  changes?.close()
  changes = document.hidden ? undefined : new EventSource(new URL('api/requests/stream', inspector))
  changes?.addEventListener('state', ({ data }: MessageEvent<string>) => {
    const { scenario, overrides } = JSON.parse(data) as StateEvent['data']
    const isOfBrowser = /(?:^|; )mock-scenario=[^;]/.test(document.cookie)
    if (!isOfBrowser && scenario.length === 0 && overrides.sadPath === undefined && !overrides.chaos) hide()
  })
}

function hide(): void {
  host!.remove()
  changes?.close()
  changes = undefined
}

function create(inspector: URL): { host: HTMLElement; label: HTMLElement } {
  const text = document.createElement('span')
  text.title = 'This scenario, sad path or chaos is on.'
  const element = createNotice(
    'mock-api-switched',
    calm,
    text,
    {
      text: 'Hide until the page is loaded again',
      onClick() {
        isDismissed = true
        hide()
      },
    },
    { mark: '↺', text: 'End it', onClick: () => void end(inspector).then(loadAgain) },
  )
  element.style.inset = 'auto auto 0.75rem 0.75rem'
  document.addEventListener('visibilitychange', () => element.isConnected && follow(inspector))
  return { host: element, label: text }
}

/** Ends what is switched on, for this browser and for everyone. */
async function end(inspector: URL): Promise<void> {
  document.cookie = scenarioCookie([])
  const call = (path: string, init: RequestInit = {}) =>
    fetch(new URL(`api/${path}`, inspector), {
      headers: { 'x-mock-api': '1', 'content-type': 'application/json' },
      ...init,
    })
  await call('scenario', { method: 'PUT', body: '{"scenario":[]}' })
  const overrides = (await (await call('overrides')).json()) as object
  // JSON leaves out what is undefined.
  await call('overrides', {
    method: 'PUT',
    body: JSON.stringify({ ...overrides, sadPath: undefined, chaos: undefined }),
  })
}

/** Reloads the page without the scenario in its address, which would switch it on again. */
function loadAgain(): void {
  const url = new URL(location.href)
  url.searchParams.delete('mock-scenario')
  if (url.href === location.href) location.reload()
  else location.replace(url)
}
