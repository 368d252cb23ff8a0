import theme from 'vitepress/theme-without-fonts'
import './style.css'

if (!import.meta.env.SSR) {
  /** The mock server of a page. In its shadow, neither its styles nor those of the docs reach the other. */
  class PlayElement extends HTMLElement {
    #remove: Promise<() => void> | undefined

    connectedCallback(): void {
      const shadow = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
      const start = this.getAttribute('start') ?? undefined
      this.#remove = import('../play/play.tsx').then(({ mount }) => mount(shadow, start))
    }

    disconnectedCallback(): void {
      void this.#remove?.then((remove) => remove())
    }
  }
  customElements.define('mock-api-play', PlayElement)
}

export default theme
