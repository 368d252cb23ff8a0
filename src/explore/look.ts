import type { Observation } from './judge.ts'

export interface Look extends Pick<Observation, 'parts' | 'busy' | 'errors'> {
  /** All scripts of the document have run. */
  isLoaded: boolean
}

/** Looks at a page once it has nothing to do. The function runs in the page, so it uses nothing from outside. */
export async function look(): Promise<Look> {
  await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1000 }))
  const busyClass =
    /(?:^|[-_])(?:spin(?:ner|ning)?|loading|loader|skeleton|shimmer)(?:$|[-_])|CircularProgress|Skeleton|Spinner/
  const busyText =
    /^\W*(?:loading|please wait)\b[^.…]{0,40}[.…]*$|^.{0,40}(?:loading|fetching|waiting).{0,40}(?:\.{3}|…)$/i
  const overlays = 'vite-error-overlay, rsbuild-error-overlay, iframe[id$="-client-overlay"]'
  const parts: { place: string; text: string }[] = []
  const busy: string[] = []
  const errors: { message: string }[] = []

  const ownText = (element: Element) =>
    [...element.childNodes]
      .map((node) => (node.nodeType === Node.TEXT_NODE ? node.nodeValue : ' '))
      .join('')
      .replace(/\s+/g, ' ')
      .trim()

  function textOf(element: Element): string {
    const { value, placeholder } = element as HTMLInputElement
    const ofField = /^(?:INPUT|TEXTAREA)$/.test(element.tagName) ? value || placeholder : ''
    return (
      ownText(element) || ofField || element.getAttribute('aria-label') || element.getAttribute('alt') || ''
    )
  }

  function isBusy(element: Element, text: string): boolean {
    const isEndless =
      element.getAttribute('role') === 'progressbar'
        ? !element.hasAttribute('aria-valuenow')
        : element.tagName === 'PROGRESS' && !element.hasAttribute('value')
    return (
      isEndless ||
      element.getAttribute('aria-busy') === 'true' ||
      [...element.classList].some((name) => busyClass.test(name)) ||
      busyText.test(text)
    )
  }

  /** A short name for a long path. */
  function hash(path: string): number {
    let result = 5381
    for (let index = 0; index < path.length; index++) result = (result * 33 + path.charCodeAt(index)) | 0
    return result >>> 0
  }

  function visit(element: Element, above: number): void {
    const isShown = element.checkVisibility({ visibilityProperty: true })
    if (!isShown && getComputedStyle(element).display === 'none') return
    const name = [element.localName, ...element.classList].join('.')
    const isDisabled = (element as HTMLInputElement).disabled === true
    const place = hash(`${above}>${name}${isDisabled ? ' disabled' : ''}`)
    const text = textOf(element)
    if (isShown) {
      parts.push({ place: `${element.localName} ${place.toString(36)}`, text })
      if (isBusy(element, text)) busy.push(text ? JSON.stringify(text) : `<${name}>`)
    }
    for (const child of [...(element.shadowRoot?.children ?? []), ...element.children])
      if (!/^(?:script|style|template|noscript|link|svg)$/.test(child.localName)) visit(child, place)
  }

  const overlay = document.querySelector(overlays)
  if (overlay) {
    const shown =
      overlay.shadowRoot?.querySelector('.message, .content, main') ??
      (overlay as HTMLIFrameElement).contentDocument?.body
    errors.push({
      message: shown?.textContent?.trim().slice(0, 2000) || 'The error overlay of the dev server',
    })
  } else if (document.body) visit(document.body, 0)
  return { parts, busy, errors, isLoaded: document.readyState === 'complete' }
}
