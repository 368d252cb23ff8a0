import { resolve } from 'node:path'
import { formatDiagnostic, formatPlace } from '../../core/diagnostics/format.ts'
import type { MockServer } from '../../server/mock-server.ts'

/** An error in a fixture file, as the overlay in the page shows it. */
export interface OverlayError {
  /** `file:line:column`, relative to the project's root if it is inside. */
  place: string
  /** The same with an absolute path, for a link that opens the editor. */
  link: string
  /** Message, frame and fix. */
  text: string
}

/** Maximum number of errors in the overlay; the terminal shows all of them. */
const maxShown = 10

/** The current errors of the fixture files. */
export function overlayErrors({ store, options }: MockServer): OverlayError[] {
  const errors = store.current?.diagnostics.filter(({ severity }) => severity === 'error') ?? []
  return errors.slice(0, maxShown).map((error) => {
    const place = formatPlace(error)
    const text = formatDiagnostic(error).slice(place.length).trimStart()
    return { place, link: place && resolve(options.root, place), text }
  })
}

/** How a bundler's dev server reaches the overlay of its pages. */
export interface Channel<Page> {
  /** Shows errors in one page, or in all open pages. */
  show: (errors: readonly OverlayError[], page?: Page) => void
  hide: () => void
}

/** The result of a build. It may get errors later. */
export interface BuildStats {
  hash?: string | null
  hasErrors: () => boolean
}

/**
 * Errors in fixture files, in the overlay that a bundler has for the errors of its builds. They are not added to those of the
 * build, which would stop hot and live reload. The pages get them after a build without errors.
 */
export class Overlay<Page> {
  /** `undefined` during a build. While the build has errors, nothing is shown or hidden. */
  built: BuildStats | undefined
  readonly #channel: () => Channel<Page> | undefined
  #mockServers: readonly MockServer[] = []
  /** The errors that the pages show, as text. */
  #shown = ''

  /** @param channel `undefined` while, or if, the server can't reach its pages */
  constructor(channel: () => Channel<Page> | undefined) {
    this.#channel = channel
  }

  /** Shows the errors of mock servers, and follows them. */
  follow(mockServers: readonly MockServer[]): void {
    this.#mockServers = mockServers
    const update = () => this.update()
    for (const { store } of mockServers) {
      store.onReload(update)
      void store.ready.then(update)
    }
  }

  /** To be called after a build. */
  endBuild(): void {
    // A page removes the overlay when it gets a new build.
    if (this.#errors().length > 0) this.#shown = ''
    this.update()
  }

  update(): void {
    const channel = this.#channel()
    if (!channel || !this.built || this.built.hasErrors()) return
    const errors = this.#errors()
    const text = errors.length > 0 ? JSON.stringify(errors) : ''
    if (text === this.#shown) return
    this.#shown = text
    if (errors.length > 0) channel.show(errors)
    else channel.hide()
  }

  /** To be called for a page that has just been opened. */
  showIn(page: Page): void {
    const errors = this.#errors()
    if (errors.length > 0) this.#channel()?.show(errors, page)
  }

  #errors(): OverlayError[] {
    return this.built && !this.built.hasErrors() ? this.#mockServers.flatMap(overlayErrors) : []
  }
}
