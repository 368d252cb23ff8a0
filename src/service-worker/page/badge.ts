import { readScenarioNames } from '../../core/http/client.ts'

/** An element with a shadow root, which the page's styles do not change. */
const tag = 'mock-api-badge'

const css = `
:host { all: initial; position: fixed; inset: auto 0.75rem 0.75rem auto; z-index: 2147483647; color-scheme: light dark }
:host([hidden]) { display: none }
aside { display: flex; align-items: center; gap: 0.5rem; max-width: 20rem; padding: 0.25rem 0.25rem 0.25rem 0.625rem;
  border: 1px solid light-dark(#8a6d00, #e0b400); border-radius: 0.5rem; background: light-dark(#fff8dc, #2b2500);
  color: light-dark(#4a3b00, #ffe27a); font: 500 0.8125rem/1.4 system-ui, sans-serif; box-shadow: 0 1px 4px #0004 }
span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
button { all: unset; min-width: 1.5rem; height: 1.5rem; border-radius: 0.375rem; text-align: center; cursor: pointer }
button:hover { background: light-dark(#0001, #fff2) }
button:focus-visible { outline: 2px solid currentColor }
@media print { :host { display: none } }
`

export interface Badge {
  fail: () => void
}

/** A content security policy allows a constructed style sheet without `unsafe-inline`. */
export function showBadge(): Badge {
  const host = document.createElement(tag)
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]
  const label = document.createElement('span')
  label.textContent = labelText()
  label.title = 'The requests of this page are answered from fixtures.'
  const close = document.createElement('button')
  close.type = 'button'
  close.textContent = '×'
  close.setAttribute('aria-label', 'Hide this notice')
  close.addEventListener('click', () => host.remove())
  const aside = document.createElement('aside')
  aside.setAttribute('aria-label', 'Mock API')
  aside.append(label, close)
  root.append(aside)
  const add = () => document.body.append(host)
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', add, { once: true })
  else add()
  return {
    fail() {
      label.textContent = 'Mock API: not available'
      label.title = 'The console says why. Requests go to the network.'
    },
  }
}

function labelText(): string {
  const [, value = ''] = /(?:^|; )mock-scenario=([^;]*)/.exec(document.cookie) ?? []
  const names = readScenarioNames(value)
  return names.length === 0 ? 'Mock API' : `Mock API: ${names.join(', ')}`
}
