import { resolve } from 'node:path'
import { formatDiagnostic, formatPlace } from '../../core/diagnostics/format.ts'
import { plural } from '../../core/values/describe-value.ts'
import type { MockServer } from '../../server/mock-server.ts'
import { isError } from '../../core/diagnostics/severity.ts'

export interface OverlayError {
  place: string
  /** The place with an absolute path, for a link to the editor. */
  link: string
  text: string
}

/** The terminal shows all errors. */
export const maxShown = 10

export function overlayErrors({ store, options }: MockServer): OverlayError[] {
  const errors = (options.overlay ? store.current : undefined)?.diagnostics.filter(isError) ?? []
  const shown = errors.slice(0, maxShown).map((error) => {
    const place = formatPlace(error)
    const text = formatDiagnostic(error).slice(place.length).trimStart()
    return { place, link: place && resolve(options.root, place), text }
  })
  const more = errors.length - shown.length
  return more > 0 ? [...shown, { place: '', link: '', text: `${moreErrors(more)}, in the terminal.` }] : shown
}

export function moreErrors(count: number): string {
  return `And ${plural(count, 'more error')}`
}

export interface Channel<Page> {
  show: (errors: readonly OverlayError[], page?: Page) => void
  hide: () => void
}

export interface BuildStats {
  hash?: string | null
  hasErrors: () => boolean
}

/** Errors stay apart from those of the build, where they would stop hot and live reload. A build's own errors come first. */
export class Overlay<Page> {
  /** `undefined` during a build. */
  built: BuildStats | undefined
  readonly #channel: () => Channel<Page> | undefined
  #mockServers: readonly MockServer[] = []
  #shown = ''

  /** @param channel `undefined` while, or if, the server can't reach its pages */
  constructor(channel: () => Channel<Page> | undefined) {
    this.#channel = channel
  }

  follow(mockServers: readonly MockServer[]): void {
    this.#mockServers = mockServers
    const update = () => this.update()
    for (const { store } of mockServers) {
      store.onReload(update)
      void store.ready.then(update)
    }
  }

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

  showIn(page: Page): void {
    const errors = this.#errors()
    if (errors.length > 0) this.#channel()?.show(errors, page)
  }

  #errors(): OverlayError[] {
    return this.built && !this.built.hasErrors() ? this.#mockServers.flatMap(overlayErrors) : []
  }
}
