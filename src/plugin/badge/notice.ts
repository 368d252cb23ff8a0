/** Style of notices about settings that are on purpose. */
export const calm = 'background: light-dark(#fff8dc, #2b2500); color: light-dark(#4a3b00, #ffe27a)'

const css = `
:host { all: initial; position: fixed; inset: auto 0.75rem 0.75rem auto; z-index: 2147483646; color-scheme: light dark }
:host([hidden]) { display: none }
aside { display: flex; max-width: 20rem; border: 1px solid; border-radius: 1rem; overflow: hidden;
  font: 600 0.8125rem/1.75rem system-ui, sans-serif; box-shadow: 0 1px 6px #0004 }
:first-child { padding: 0 0.25rem 0 0.75rem; overflow: hidden; color: inherit; text-decoration: none;
  text-overflow: ellipsis; white-space: nowrap }
button { all: unset; flex: none; width: 1.75rem; text-align: center; cursor: pointer }
:is(a, button):hover { background: light-dark(#0001, #fff2) }
:is(a, button):focus-visible { outline: 2px solid currentColor; outline-offset: -3px }
@media print { :host { display: none } }
`

interface NoticeButton {
  text: string
  onClick?: () => void
}

/**
 * A label in a corner of a page, with a button that removes it. The page's styles do not change it, and a content security
 * policy allows its constructed style sheet without `unsafe-inline`.
 */
export function createNotice(
  tag: string,
  colours: string,
  label: HTMLElement,
  close: NoticeButton,
  other?: NoticeButton & { mark: string },
): HTMLElement {
  const host = document.createElement(tag)
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`${css}aside { ${colours} }`)
  root.adoptedStyleSheets = [sheet]
  const remove = () => {
    close.onClick?.()
    host.remove()
  }
  const buttons = [
    ...(other ? [createButton(other.mark, other.text, () => other.onClick?.())] : []),
    createButton('×', close.text, remove),
  ]
  const aside = document.createElement('aside')
  aside.setAttribute('aria-label', 'Mock API')
  aside.append(label, ...buttons)
  root.append(aside)
  return host
}

function createButton(mark: string, text: string, onClick: () => void): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = mark
  button.title = text
  button.setAttribute('aria-label', text)
  button.addEventListener('click', onClick)
  return button
}
