import type { RequestDetails, ShownBody } from '../../api/api.ts'
import { diffText } from '../../../files/diff-text.ts'
import { exactJson, unmarked } from '../../../core/values/exact-number.ts'
import { Dialog } from '../parts/controls.tsx'
import { Diff } from '../parts/values.tsx'

interface CompareProps {
  pinned: RequestDetails
  request: RequestDetails
  onClose: () => void
}

export function Compare({ pinned, request, onClose }: CompareProps) {
  const diff = diffText(textOf(pinned), textOf(request))
  return (
    <Dialog title="Compare with the pinned request" onClose={onClose}>
      {diff === '' ? <p>The two requests and their answers are the same.</p> : <Diff text={diff} />}
    </Dialog>
  )
}

/** Headers that differ between any two requests, and say nothing. */
const changing = /^(?:date|etag|content-length|cookie|referer|if-none-match)$/

function textOf({ method, url, headers, body, response, route, status }: RequestDetails): string {
  const kept = (all: Record<string, string> = {}) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !changing.test(name)))
  const valueOf = ({ text, size }: ShownBody): unknown =>
    text === undefined ? `${size} bytes` : (exactJson(text)?.value ?? text)
  const answer = { status, headers: kept(response?.headers), body: response && valueOf(response.body) }
  const sent = { method, url, headers: kept(headers), body: body && valueOf(body) }
  return `${unmarked(JSON.stringify({ ...sent, route: route?.name, answer }, null, 2))}\n`
}
