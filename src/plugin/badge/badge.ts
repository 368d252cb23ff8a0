/* Runs in the pages of a dev server: says how many of their requests matched no route, and leads to the inspector. */

/** Its value is where the inspector shows the request. */
const metric = 'mock-api-miss'

/** An element with a shadow root, which the page's styles do not change. */
const tag = 'mock-api-misses'

const css = `
:host { all: initial; position: fixed; z-index: 2147483646; color-scheme: light dark }
:host([hidden]) { display: none }
aside { display: flex; border: 1px solid light-dark(#c4463a, #ff8f85); border-radius: 1rem; overflow: hidden;
  background: light-dark(#fff3f1, #3b2321); color: light-dark(#8f1d14, #ffc2bb);
  font: 600 0.8125rem/1.75rem system-ui, sans-serif; box-shadow: 0 1px 6px #0004 }
a { padding: 0 0.25rem 0 0.75rem; color: inherit; text-decoration: none }
button { all: unset; width: 1.75rem; text-align: center; cursor: pointer }
:is(a, button):hover { background: light-dark(#0001, #fff2) }
:is(a, button):focus-visible { outline: 2px solid currentColor; outline-offset: -3px }
@media print { :host { display: none } }
`

const corners = [
  ['bottom', 'right'],
  ['bottom', 'left'],
  ['top', 'right'],
  ['top', 'left'],
] as const
const clickable = 'a, button, input, select, textarea, label, summary, iframe, [role=button], [onclick]'

let host: HTMLElement | undefined
let link: HTMLAnchorElement | undefined
/** By where the inspector shows them: a request may be noticed in two ways. */
const seen = new Set<string>()
let misses = 0
let isDismissed = false

function report(address: string): void {
  if (seen.has(address)) return
  seen.add(address)
  misses++
  const url = new URL(address, location.origin).href
  if (seen.size === 1) console.warn(`[mock-api] A request matched no route. The inspector says why: ${url}`)
  // Screenshots and clicks of tests stay as they are without it.
  if (isDismissed || navigator.webdriver) return
  if (!link) ({ host, link } = create())
  link.href = url
  link.textContent = misses === 1 ? '1 miss' : `${misses} misses`
  link.title = 'Requests that matched no route. The inspector shows the last one.'
  host!.hidden = false
  if (document.body) show()
  else addEventListener('DOMContentLoaded', show, { once: true })
}

/** A content security policy allows a constructed style sheet without `unsafe-inline`. */
function create(): { host: HTMLElement; link: HTMLAnchorElement } {
  const element = document.createElement(tag)
  const root = element.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]
  const anchor = document.createElement('a')
  anchor.target = 'mock-api-inspector'
  anchor.addEventListener('click', () => {
    misses = 0 // those after it are new ones
    element.hidden = true
  })
  const close = document.createElement('button')
  close.type = 'button'
  close.textContent = '×'
  close.setAttribute('aria-label', 'Hide until the page is loaded again')
  close.addEventListener('click', () => {
    isDismissed = true
    element.remove()
  })
  const aside = document.createElement('aside')
  aside.setAttribute('aria-label', 'Mock API')
  aside.append(anchor, close)
  root.append(aside)
  return { host: element, link: anchor }
}

/** In the first corner where it covers nothing that can be clicked. */
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

const shownKey = Symbol.for('unplugin-mock-api.badge')

// A page may have several bundles, and a worker has no page.
if (typeof document === 'object' && !(shownKey in globalThis)) {
  Object.defineProperty(globalThis, shownKey, { value: true })
  // The timing of a request is there when its answer was read. Many pages do not read that of a failed fetch.
  const { fetch: send } = globalThis
  globalThis.fetch = function (this: unknown, ...given) {
    // Only the promise that the page gets is handled by the page: a rejection that it does not catch is still reported.
    return send.apply(this as never, given).then((answer) => {
      const [, address] = /mock-api-miss;desc="([^"]*)"/.exec(answer.headers.get('server-timing') ?? '') ?? []
      if (address !== undefined) report(address)
      return answer
    })
  }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as PerformanceResourceTiming[])
      for (const { name, description } of entry.serverTiming ?? []) if (name === metric) report(description)
  }).observe({ type: 'resource', buffered: true })
}
