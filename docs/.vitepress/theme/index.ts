import theme from 'vitepress/theme-without-fonts'
import './style.css'

if (!import.meta.env.SSR) {
  /** The mock server of a page. In its shadow, neither its styles nor those of the docs reach the other. */
  class PlayElement extends HTMLElement {
    #remove: (() => void) | undefined
    /** A small one, far down on a page, is loaded when it comes into sight. */
    readonly #seen = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      this.#seen.disconnect()
      // The words of the page come first, and no step keeps the browser from what a reader does.
      const load = () =>
        void import('../play/play.tsx').then(({ mount }) =>
          setTimeout(() => {
            if (this.isConnected) this.#remove = mount(this)
          }),
        )
      if ('requestIdleCallback' in globalThis) requestIdleCallback(load, { timeout: 1000 })
      else setTimeout(load)
    })

    connectedCallback(): void {
      this.#seen.observe(this)
    }

    disconnectedCallback(): void {
      this.#seen.disconnect()
      this.#remove?.()
    }
  }
  customElements.define('mock-api-play', PlayElement)
}

export default theme
