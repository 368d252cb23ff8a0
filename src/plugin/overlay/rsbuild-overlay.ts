import type { HotClient, RsbuildDevServer, RsbuildPluginAPI } from '@rsbuild/core'
import type { MockServer } from '../../server/mock-server.ts'
import { escapeHtml } from '../../wire/escape-html.ts'
import { Overlay, type OverlayError } from './overlay.ts'

type Hot = RsbuildDevServer['environments'][string]['hot']

type Show = (server: RsbuildDevServer, mockServer: MockServer) => void

/** Needs Rsbuild 2.2: older versions do not report when a page connects. */
export function createOverlay(api: RsbuildPluginAPI): Show {
  let hots: Hot[] = []
  let isListening = false
  const overlay = new Overlay<HotClient>(() => ({
    show: (errors, page) => (page ? [page] : hots).forEach((one) => sendErrors(one, errors)),
    hide: () => hots.forEach(sendCorrected),
  }))
  api.onBeforeDevCompile(() => {
    overlay.built = undefined
  })
  api.onAfterDevCompile(({ stats }) => {
    overlay.built = stats
    // Not earlier: it throws before the first build.
    if (!isListening) for (const hot of hots) hot.onConnect((page) => overlay.showIn(page))
    isListening = true
    overlay.endBuild()
  })
  return (server, started) => {
    hots = Object.values(server.environments)
      .map(({ hot }) => hot)
      .filter((hot) => 'onConnect' in hot)
    isListening = false
    overlay.follow([started])
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
