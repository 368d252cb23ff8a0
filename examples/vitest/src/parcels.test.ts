import { mockApi } from 'unplugin-mock-api/vitest'
import { describe, expect, it } from 'vitest'
import { listParcels, sendParcel } from './parcels.ts'

describe('listParcels', () => {
  it('asks for every page, and no further', async () => {
    const parcels = await listParcels()
    expect(parcels.map(({ to }) => to)).toEqual(['Lisbon', 'Oslo', 'Athens', 'Dublin', 'Riga'])
    expect(await mockApi.requests({ path: '/parcels' })).toHaveLength(3)
  })

  it('is empty when nothing was sent', async () => {
    await mockApi.setScenario('nothing-sent')
    expect(await listParcels()).toEqual([])
  })
})

describe.concurrent('sendParcel', () => {
  it('returns the id', async () => {
    expect(await sendParcel({ to: 'Lisbon', weight: 1.2 })).toBe('P-1006')
    const { body } = await mockApi.waitForRequest({ method: 'POST', path: '/parcels' })
    expect(JSON.parse(body?.text ?? '')).toEqual({ to: 'Lisbon', weight: 1.2 })
  })

  it('refuses what is too heavy', async () => {
    await expect(sendParcel({ to: 'Oslo', weight: 31 })).rejects.toThrow('at most 30 kg')
  })

  it('tries again while the service is busy', async () => {
    await mockApi.setScenario('busy')
    expect(await sendParcel({ to: 'Riga', weight: 3 })).toBe('P-1006')
    expect(await mockApi.requests({ method: 'POST', path: '/parcels' })).toHaveLength(3)
  })

  it('gives up after the last attempt', async () => {
    await mockApi.setScenario('busy')
    await expect(sendParcel({ to: 'Riga', weight: 3 }, 2)).rejects.toThrow('The service answered 503.')
  })
})
