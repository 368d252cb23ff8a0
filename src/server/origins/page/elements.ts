/** The address here of one elsewhere; `undefined` for all others. */
export type Rewrite = (url: string | URL, sendsCookies: boolean) => string | undefined

/** Elements that a page has of other origins, with what their `src` leads to. */
const elements = () => [HTMLImageElement, HTMLScriptElement, HTMLMediaElement, HTMLSourceElement]

/** Sends elements of other origins here. Scripts read the address that was written: frameworks compare it. */
export function followElements(rewrite: Rewrite): void {
  const written = new WeakMap<Element, string>()
  const isFollowed = (element: Element) => elements().some((one) => element instanceof one)
  const prototype = Element.prototype as unknown as Record<
    'getAttribute' | 'setAttribute',
    (this: Element, ...parameters: unknown[]) => unknown
  >
  const { getAttribute, setAttribute } = prototype

  function write(element: Element, src: string): void {
    const here = rewrite(src, element.getAttribute('crossorigin') !== 'anonymous')
    if (here === undefined) written.delete(element)
    else written.set(element, src)
    setAttribute.call(element, 'src', here ?? src)
  }

  prototype.setAttribute = function (name, value) {
    if (String(name).toLowerCase() === 'src' && isFollowed(this)) write(this, String(value))
    else setAttribute.call(this, name, value)
  }
  prototype.getAttribute = function (name) {
    const own = String(name).toLowerCase() === 'src' ? written.get(this) : undefined
    return own ?? getAttribute.call(this, name)
  }
  for (const element of elements()) {
    const own = Object.getOwnPropertyDescriptor(element.prototype, 'src')!
    Object.defineProperty(element.prototype, 'src', {
      ...own,
      get(this: Element) {
        const src = written.get(this)
        return src === undefined ? (own.get!.call(this) as string) : new URL(src, document.baseURI).href
      },
      set(this: Element, src: unknown) {
        write(this, String(src))
      },
    })
  }
  // Markup: the request may have begun, and ends.
  const look = (node: Node) => {
    if (!(node instanceof Element)) return
    for (const element of [node, ...node.querySelectorAll('[src]')]) {
      const src = isFollowed(element) && !written.has(element) ? getAttribute.call(element, 'src') : null
      if (typeof src === 'string' && rewrite(src, true) !== undefined) write(element, src)
    }
  }
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) addedNodes.forEach(look)
  }).observe(document, { childList: true, subtree: true })
}
