/* The starting points of /play, answered as the page does, without a browser: play.slow.test.ts opens the page. */
import { describe, expect, it } from 'vitest'
import { startingPoints } from '../../../docs/.vitepress/play/starting-points.ts'
import { createPlayServer } from '../../../docs/.vitepress/play/play-server.ts'
import { parseHeaders } from '../../../src/inspector/page/logic/send.ts'

const never = new AbortController().signal

describe.each(startingPoints)('$title', ({ file, text, requests }) => {
  it('answers what it says, in this order', async () => {
    const server = createPlayServer()
    await server.load({ file, text })
    expect(server.shown().diagnostics).toEqual([])
    const answers = []
    for (const { headers, status, ...request } of requests) {
      const parsed = parseHeaders(headers)
      if ('problem' in parsed) throw new Error(parsed.problem)
      const stop = new AbortController()
      // An event stream stays open.
      server.journal.listen((entry) => entry.stream?.count === 2 && file.includes('events') && stop.abort())
      const id = await server.ask({ ...request, headers: parsed.headers }, stop.signal ?? never)
      answers.push([request.name, server.detailsOf(id).status ?? 'broken'])
      void status
    }
    expect(answers).toEqual(requests.map(({ name, status }) => [name, status]))
  })
})
