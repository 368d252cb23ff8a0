/**
 * Added to the client of a dev server, in browsers that tests drive: errors of routes that a page may not use must not take
 * its clicks. The overlay becomes a note in the corner, as long as it has our errors. It loads nothing of this package, so
 * that a bundler needs only its text.
 */
export function withNotes(client: string): string {
  return `${client}
if (typeof navigator === 'object' && navigator.webdriver) {
  const shrink = (overlay) => {
    const root = overlay.shadowRoot || (overlay.contentDocument && overlay.contentDocument.body)
    if (!root || !/\\[plugin:unplugin-mock-api\\]|\\[mock-api\\]/.test(root.textContent)) return
    // One by one, as a policy of the page may forbid style sheets. What is fixed inside fills the note.
    Object.assign(overlay.style, {
      position: 'fixed', inset: 'auto 0 0 auto', width: '60rem', maxWidth: '100%', height: '16rem', zoom: 0.5,
      overflow: 'hidden', contain: 'paint', zIndex: 99999,
    })
    const close = () => {
      const button = root.querySelector('.close, button')
      if (button) button.click()
      else overlay.remove()
    }
    root.addEventListener('click', () => setTimeout(close), { capture: true, once: true }) // a link opens its file first
  }
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const added of addedNodes) {
        if (!/-error-overlay$/.test(added.localName) && !/-client-overlay$/.test(added.id)) continue
        shrink(added)
        added.addEventListener('load', () => shrink(added), { once: true }) // of a frame, in some browsers
      }
  }).observe(document, { childList: true, subtree: true })
}
`
}
