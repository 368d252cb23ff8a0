import type { Observation } from './judge/observation.ts'

export interface Look extends Pick<Observation, 'parts' | 'busy' | 'errors' | 'timers' | 'hasPassword'> {
  /** Parts that the page has painted since the last look, and may have taken away again. */
  painted: Observation['parts']
  /** All scripts of the document have run. */
  isLoaded: boolean
}

/** Key of what `installLook` leaves in a page. */
export const lookKey = 'mock-api look'

/**
 * Runs in the page before its first script, and so uses nothing from outside. It leaves a function that looks at the page once it has
 * nothing to do.
 */
export function installLook(key: string): void {
  if (window !== window.top) return
  type PartOfPage = Observation['parts'][number]
  type Around = Record<'isMoving' | 'isClear' | 'isFixed', boolean>
  const busyClass =
    /(?:^|[-_])(?:spin(?:ner|ning)?|loading|loader|skeleton|shimmer)(?:$|[-_])|CircularProgress|Skeleton|Spinner/
  const messageClass = /(?:^|[-_])(?:toast|snackbar|alert|notification)/i
  const messageRole = /^(?:alert|alertdialog|status)$/
  const overlays = 'vite-error-overlay, rsbuild-error-overlay, iframe[id$="-client-overlay"]'
  let painted = new Map<string, PartOfPage>()

  const ownText = (element: Element) =>
    [...element.childNodes]
      .map((node) => (node.nodeType === Node.TEXT_NODE ? node.nodeValue : ' '))
      .join('')
      .replace(/\s+/g, ' ')
      .trim()

  function textOf(element: Element): string {
    const { value, placeholder } = element as HTMLInputElement
    const ofChoice = (element as HTMLSelectElement).selectedOptions?.[0]?.text ?? ''
    const ofField = /^(?:INPUT|TEXTAREA)$/.test(element.tagName) ? value || placeholder : ofChoice
    const ofCanvas = [...(drawn.get(element as HTMLCanvasElement) ?? [])].join(' ')
    const ofAttributes = element.getAttribute('aria-label') || element.getAttribute('alt') || ''
    return ownText(element) || ofField || ofCanvas || ofAttributes
  }

  function isBusy(element: Element): boolean {
    const isEndless =
      element.getAttribute('role') === 'progressbar'
        ? !element.hasAttribute('aria-valuenow')
        : element.tagName === 'PROGRESS' && !element.hasAttribute('value')
    const isMarked = element.getAttribute('aria-busy') === 'true'
    return isEndless || isMarked || [...element.classList].some((name) => busyClass.test(name))
  }

  /** A live region, an open dialog, or what floats above the page, as toasts do. */
  function isMessage(element: Element, depth: number): boolean {
    const live = element.getAttribute('aria-live')
    return (
      messageRole.test(element.getAttribute('role') ?? '') ||
      (live !== null && live !== 'off') ||
      element.localName === 'dialog' ||
      [...element.classList].some((name) => messageClass.test(name)) ||
      (depth < 4 && getComputedStyle(element).position === 'fixed')
    )
  }

  /** Whether it is outside of the window. What has no area says nothing about its children. */
  function isOut(element: Element): boolean {
    const { top, right, bottom, left, width, height } = element.getBoundingClientRect()
    return width * height > 0 && (right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight)
  }

  /** A short name for a long path. */
  function hash(path: string): number {
    let result = 5381
    for (let index = 0; index < path.length; index++) result = (result * 33 + path.charCodeAt(index)) | 0
    return result >>> 0
  }

  function readPage() {
    const parts: PartOfPage[] = []
    const busy: string[] = []
    /** @param around whether what the element is in is transparent, moves, or stays where it is when the page is scrolled */
    function visit(
      element: Element,
      above: number,
      depth: number,
      isInMessage: boolean,
      around: Around,
    ): void {
      const isVisible = element.checkVisibility({ visibilityProperty: true })
      const { display, opacity, overflow, position } = getComputedStyle(element)
      if (!isVisible && display === 'none') return
      const isFixed = around.isFixed || position === 'fixed'
      const isFaint = opacity === '0'
      // What fades or slides in is read before it can be seen.
      const isMoving =
        around.isMoving ||
        ((isFixed || isFaint) && element.getAnimations().some(({ playState }) => playState === 'running'))
      // What is further down may be revealed when it is scrolled to.
      const isClear = around.isClear || (isFaint && !isMoving && (isFixed || !isOut(element)))
      const isShown = isVisible && !isClear && (!isFixed || isMoving || !isOut(element))
      const name = [element.localName, ...element.classList].join('.')
      const isDisabled = (element as HTMLInputElement).disabled === true
      const path = hash(`${above}>${name}${isDisabled ? ' disabled' : ''}`)
      const says = isInMessage || isMessage(element, depth)
      const add = (text: string, what = '', isSaid = says) => {
        const place = `${element.localName} ${path.toString(36)}${what}`
        parts.push({ place, text, ...(isSaid && { isMessage: true }) })
      }
      if (isShown) {
        const text = textOf(element)
        if (text || element.localName !== 'svg') add(text)
        const title = element.getAttribute('title')
        if (title && title !== text) add(title, ' title')
        if (isBusy(element)) busy.push(text ? JSON.stringify(text) : `<${name}>`)
      }
      // A field that is transparent is drawn by others.
      if (isVisible && /^(?:true|grammar|spelling)$/.test(element.getAttribute('aria-invalid') ?? ''))
        add(`<${element.localName}> is invalid`, ' invalid', true)
      const root = roots.get(element) ?? element.shadowRoot
      const within = { isMoving, isClear, isFixed: isFixed && !/auto|scroll/.test(overflow) }
      // Thousands of shapes may be in a chart.
      const inSvg = element.localName === 'svg' && element.querySelectorAll('text, foreignObject')
      for (const child of inSvg || [...(root?.children ?? []), ...element.children])
        if (!/^(?:script|style|template|noscript|link)$/.test(child.localName))
          visit(child, path, depth + 1, says, within)
    }
    if (document.title) parts.push({ place: 'title', text: document.title })
    if (document.body) visit(document.body, 0, 0, false, { isMoving: false, isClear: false, isFixed: false })
    return { parts, busy }
  }

  // What is painted is read once a frame, and at most every 50 ms.
  let isDue = false
  const note = () => {
    isDue = false
    for (const part of readPage().parts) painted.set(`${part.place} ${part.text}`, part)
  }
  let last = -Infinity
  const noteSoon = () => {
    if (isDue) return
    isDue = true
    const now = performance.now()
    last = Math.max(now, last + 50)
    if (last > now) later(() => requestAnimationFrame(note), last - now)
    else requestAnimationFrame(note)
  }
  const later = window.setTimeout.bind(window)
  const options = { subtree: true, childList: true, characterData: true, attributes: true }
  const observer = new MutationObserver(noteSoon)
  observer.observe(document, options)

  // A closed root can be had only where it is made.
  const roots = new WeakMap<Element, ShadowRoot>()
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with the element as `this`
  const { attachShadow } = Element.prototype
  Element.prototype.attachShadow = function (init) {
    const root = attachShadow.call(this, init)
    roots.set(this, root)
    observer.observe(root, options)
    return root
  }

  // A page with a timer may still change: it tries again, or takes a message away.
  const due = new Map<unknown, { time: number; name: string }>()
  for (const [set, clear] of [
    ['setTimeout', 'clearTimeout'],
    ['setInterval', 'clearInterval'],
  ] as const) {
    const [start, cancel] = [window[set].bind(window), window[clear].bind(window)]
    window[set] = ((work: TimerHandler, delay?: number, ...given: unknown[]) => {
      if (typeof work !== 'function') return start(work, delay, ...given)
      const wait = Math.max(0, Number(delay) || 0)
      const name = `${wait} ${hash(String(work))}`
      const expect = () => due.set(id, { time: performance.now() + wait, name })
      const id: number = start(
        (...all: unknown[]) => {
          if (set === 'setTimeout') due.delete(id)
          else expect()
          ;(work as (...all: unknown[]) => void)(...all)
        },
        delay,
        ...given,
      )
      expect()
      return id
    }) as typeof setTimeout
    window[clear] = ((id?: number) => {
      due.delete(id)
      cancel(id)
    }) as typeof clearTimeout
  }

  // What a canvas shows is not in the document.
  const drawn = new Map<HTMLCanvasElement, Set<string>>()
  // eslint-disable-next-line @typescript-eslint/unbound-method -- they are called with the context as `this`
  const { fillText, clearRect } = CanvasRenderingContext2D.prototype
  Object.assign(CanvasRenderingContext2D.prototype, {
    fillText(this: CanvasRenderingContext2D, text: string, ...given: [number, number, number?]) {
      drawn.set(this.canvas, (drawn.get(this.canvas) ?? new Set()).add(text))
      noteSoon()
      fillText.call(this, text, ...given)
    },
    clearRect(this: CanvasRenderingContext2D, ...given: [number, number, number, number]) {
      drawn.delete(this.canvas)
      clearRect.call(this, ...given)
    },
  })

  const look = async (milliseconds: number): Promise<Look> => {
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1000 }))
    const overlay = document.querySelector(overlays)
    const shown =
      overlay?.shadowRoot?.querySelector('.message, .content, main') ??
      (overlay as HTMLIFrameElement | null)?.contentDocument?.body
    const message = shown?.textContent?.trim().slice(0, 2000) || 'The error overlay of the dev server'
    const before = painted
    painted = new Map()
    const now = performance.now()
    return {
      ...(overlay ? { parts: [], busy: [] } : readPage()),
      errors: overlay ? [{ message }] : [],
      painted: [...before.values()],
      isLoaded: document.readyState === 'complete',
      timers: [...due.values()]
        .filter(({ time }) => time > now - 100 && time <= now + milliseconds)
        .map(({ name }) => name),
      hasPassword: document.querySelector('input[type="password"]') !== null,
    }
  }
  Object.defineProperty(window, key, { value: look })
}
