/*
 * Runs in the pages of a dev server: says how many of their requests matched no route, and leads to the inspector; and names
 * the scenarios or the sad path that answers come from.
 */

import { tellElsewhere } from './asked-elsewhere.ts'
import { createNotice } from './notice.ts'
import { tellSwitched } from './switched.ts'

/** Name of the `server-timing` metric whose value is the address of the request in the inspector. */
const metric = 'mock-api-miss'

const colours = 'background: light-dark(#fff3f1, #3b2321); color: light-dark(#8f1d14, #ffc2bb)'

const corners = [
  ['bottom', 'right'],
  ['bottom', 'left'],
  ['top', 'right'],
  ['top', 'left'],
] as const
const clickable = 'a, button, input, select, textarea, label, summary, iframe, [role=button], [onclick]'

let host: HTMLElement | undefined
let link: HTMLAnchorElement | undefined
/** Misses by their address in the inspector: a request may be noticed in two ways. */
const seen = new Set<string>()
let misses = 0
let isDismissed = false

function report(address: string): void {
  if (seen.has(address) || !URL.canParse(address, location.origin)) return
  const url = new URL(address, location.origin)
  if (url.origin !== location.origin) return // a third party has sent it
  seen.add(address)
  misses++
  if (seen.size === 1)
    console.warn(`[mock-api] A request matched no route. The inspector says why: ${url.href}`)
  // In tests, it would change screenshots and take clicks.
  if (isDismissed || navigator.webdriver) return
  if (!link) ({ host, link } = create())
  link.href = url.href
  link.textContent = misses === 1 ? '1 miss' : `${misses} misses`
  link.title = 'Requests that matched no route. The inspector shows the last one.'
  host!.hidden = false
  if (document.body) show()
  else addEventListener('DOMContentLoaded', show, { once: true })
}

function create(): { host: HTMLElement; link: HTMLAnchorElement } {
  const anchor = document.createElement('a')
  anchor.target = 'mock-api-inspector'
  const element = createNotice('mock-api-misses', colours, anchor, {
    text: 'Hide until the page is loaded again',
    onClick: () => (isDismissed = true),
  })
  anchor.addEventListener('click', () => {
    misses = 0 // those after it are new ones
    element.hidden = true
  })
  return { host: element, link: anchor }
}

/** Shows the badge in the first corner where it covers nothing that can be clicked. */
function show(): void {
  const element = host!
  if (isDismissed || element.isConnected) return
  document.body.append(element)
  for (const corner of [...corners, corners[0]]) {
    element.style.inset = 'auto'
    for (const side of corner) element.style[side] = '0.75rem'
    const { left, top, width, height } = element.getBoundingClientRect()
    const below = document.elementsFromPoint(left + width / 2, top + height / 2)
    if (!below.some((one) => one !== element && one.closest(clickable))) return
  }
}

function read(name: string, description: string, url: string): void {
  if (name === metric) report(description)
  if (name === 'mock-api-switched' && url.startsWith(`${location.origin}/`)) tellSwitched(description)
}

const shownKey = Symbol.for('unplugin-mock-api.badge')

// A page may have several bundles, and a worker has no page.
if (typeof document === 'object' && !(shownKey in globalThis)) {
  Object.defineProperty(globalThis, shownKey, { value: true })
  // The timing of a request is there when its answer was read. Many pages do not read that of a failed fetch.
  const { fetch: send } = globalThis
  globalThis.fetch = function (this: unknown, ...given) {
    // Only the promise that the page gets is handled by the page: a rejection that it does not catch is still reported.
    return send.apply(this as never, given).then((answer) => {
      const timing = answer.headers.get('server-timing') ?? ''
      for (const [, name, text] of timing.matchAll(/([\w-]+);desc="([^"]*)"/g)) read(name!, text!, answer.url)
      return answer
    })
  }
  const tell = tellElsewhere()
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as PerformanceResourceTiming[]) {
      for (const { name, description } of entry.serverTiming ?? []) read(name, description, entry.name)
      tell(entry)
    }
  }).observe({ type: 'resource', buffered: true })
}
