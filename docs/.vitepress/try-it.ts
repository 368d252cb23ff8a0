import { deflateRawSync } from 'node:zlib'
import type { MarkdownRenderer } from 'vitepress'
import { hashOf, type Kept } from './play/link.ts'

/** Below each fixture of the docs, a link that opens it in the page that answers: docs/play.md. */
export function tryIt(md: MarkdownRenderer, base: string): void {
  const { fence } = md.renderer.rules
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const html = fence!(tokens, index, ...rest)
    const { info, content } = tokens[index]!
    const [, file] = /^# (fixtures\/\S+\.ya?ml)\n/.exec(content) ?? []
    if (file === undefined || !/^ya?ml\b/.test(info)) return html
    const kept: Kept = { file, text: content, requests: [] }
    const hash = hashOf(deflateRawSync(JSON.stringify(kept), { level: 9 }).toString('base64'))
    return `<div>${html}<p class="try-it"><a href="${base}play.html${hash}" target="_self">Try it</a></p></div>`
  }
}
