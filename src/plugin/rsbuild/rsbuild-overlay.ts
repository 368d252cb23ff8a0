import type { HotClient, RsbuildDevServer, RsbuildPluginAPI } from '@rsbuild/core'
import { escapeHtml } from '../../wire/escape-html.ts'
import type { MockServer } from '../../server/mock-server.ts'
import { overlayErrors, type OverlayError } from '../overlay/overlay-errors.ts'

type Hot = RsbuildDevServer['environments'][string]['hot']

/** Shows the errors of the mock server that belongs to the starting dev server. */
type Show = (server: RsbuildDevServer, mockServer: MockServer) => void

/**
 * Shows errors in fixture files in Rsbuild's overlay, in open pages and in those that are opened later. Needs Rsbuild 2.2:
 * older versions do not report when a page connects.
 *
 * They are not added to the errors of the build, which would stop hot and live reload. The pages get them after a build
 * without errors.
 */
export function createOverlay(api: RsbuildPluginAPI): Show {
  let hots: Hot[] = []
  let mockServer: MockServer | undefined
  let isListening = false
  /** `undefined` while there is a build. */
  let stats: { hasErrors: () => boolean } | undefined
  let shown = ''

  const isBuilt = () => stats !== undefined && !stats.hasErrors()
  const errors = () => (mockServer && isBuilt() ? overlayErrors(mockServer) : [])

  function update(): void {
    const current = errors()
    const text = current.length > 0 ? JSON.stringify(current) : ''
    if (!stats || text === shown) return
    if (text) for (const hot of hots) sendErrors(hot, current)
    else if (isBuilt()) for (const hot of hots) sendCorrected(hot)
    shown = text
  }

  function listen(): void {
    if (isListening) return
    isListening = true
    for (const hot of hots) {
      hot.onConnect((page) => {
        const current = errors()
        if (current.length > 0) sendErrors(page, current)
      })
    }
  }

  api.onBeforeDevCompile(() => {
    stats = undefined
  })
  api.onAfterDevCompile((build) => {
    stats = build.stats
    listen() // not earlier: it throws before the first build
    if (errors().length > 0) shown = '' // pages remove the overlay when they get the new build
    update()
  })

  return (server, started) => {
    hots = Object.values(server.environments)
      .map(({ hot }) => hot)
      .filter((hot) => 'onConnect' in hot)
    mockServer = started
    isListening = false
    started.store.onReload(update)
    void started.store.ready.then(update)
  }
}

function sendErrors({ send }: HotClient, errors: readonly OverlayError[]): void {
  const items = errors.map(({ place, link, text }) => {
    return `<a class="file-link" data-file="${escapeHtml(link)}">${escapeHtml(place)}</a> ${escapeHtml(text)}`
  })
  send('errors', {
    text: errors.map(({ place, text }) => `[mock-api] ${place} ${text}`),
    html: ['[mock-api] The app is built. These are errors in fixture files:', ...items].join('\n\n'),
  })
}

/** Without text, the page removes its overlay; `ok` ends the state of a failed build. */
function sendCorrected({ send }: HotClient): void {
  send('errors', { text: [], html: '' })
  send('ok')
}
