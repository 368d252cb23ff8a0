/* The code under test: a client of the parcels API. It knows nothing of the mock. */

export interface Parcel {
  id: string
  to: string
  weight: number
}

interface ParcelPage {
  has_more: boolean
  data: Parcel[]
}

/** All parcels, page by page. */
export async function listParcels(): Promise<Parcel[]> {
  const parcels: Parcel[] = []
  for (let page = 1; ; page++) {
    const response = await fetch(`/parcels?page=${page}`)
    const { data, has_more } = (await response.json()) as ParcelPage
    parcels.push(...data)
    if (!has_more) return parcels
  }
}

/**
 * Sends a parcel, and tries again while the service is busy.
 *
 * @returns the id of the parcel
 * @throws RangeError when the parcel is too heavy
 */
export async function sendParcel(parcel: Omit<Parcel, 'id'>, attempts = 3): Promise<string> {
  const response = await fetch('/parcels', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(parcel),
  })
  if (response.status === 503 && attempts > 1) return sendParcel(parcel, attempts - 1)
  if (response.status === 422) {
    const { limit } = (await response.json()) as { limit: number }
    throw new RangeError(`A parcel weighs at most ${limit} kg.`)
  }
  if (!response.ok) throw new Error(`The service answered ${response.status}.`)
  const { id } = (await response.json()) as { id: string }
  return id
}
