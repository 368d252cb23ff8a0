import { expect, it } from 'vitest'
import { toHar } from '../../../../src/inspector/page/logic/har.ts'
import { readWanted } from '../../../../src/writer/har/har-entry.ts'
import { apiTypes } from '../../../../src/writer/har/har-filter.ts'
import { Omissions } from '../../../../src/writer/omissions.ts'
import { details } from './request.ts'

const utf8 = (bytes?: Uint8Array) => new TextDecoder().decode(bytes)

it('an exported HAR is read by the import, with all that is known', () => {
  const request = details({
    method: 'POST',
    url: '/orders?page=2',
    duration: 30,
    delay: 20,
    headers: { 'content-type': 'application/json', authorization: '…' },
    body: { size: 2, text: '{}', isCut: false },
    response: {
      status: 201,
      headers: { 'content-type': 'image/png' },
      body: { size: 3, base64: '/9gA', isCut: false },
    },
  })
  const har = toHar(
    [request, details({ body: { size: 9, text: 'a', isCut: true } })],
    'http://localhost:5173',
  )
  const { log } = JSON.parse(har) as {
    log: { entries: { time: number; request: object; timings: object }[] }
  }
  const filter = { url: undefined, only: apiTypes }
  const omissions = new Omissions()
  const readBody = () => new Uint8Array()
  const { exchange } = readWanted(log.entries[0], 1, { filter, omissions, readBody })!
  expect(exchange).toMatchObject({ method: 'POST', url: 'http://localhost:5173/orders?page=2', status: 201 })
  expect([utf8(exchange.requestBody), [...exchange.responseBody]]).toEqual(['{}', [255, 216, 0]])
  expect(log.entries[0]).toMatchObject({
    time: 30,
    timings: { wait: 10, _delay: 20 },
    request: { queryString: [{ name: 'page', value: '2' }] },
  })
  expect(log.entries[1]!.request).not.toHaveProperty('postData')
})
