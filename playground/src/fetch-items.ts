interface Item {
  id: number
  name: string
}

export interface ItemsEnvelope {
  page: number
  per_page: number
  total: number
  total_pages: number
  has_more: boolean
  /** A sad path may leave out an item. */
  data: (Item | null)[]
}

export interface ItemsPage {
  envelope: ItemsEnvelope
  status: number
  route: string | null
}

export async function fetchItems(page: number): Promise<ItemsPage> {
  const response = await fetch(`/items?page=${page}`)
  if (!response.ok) throw new Error(`The server answered HTTP ${response.status}.`)
  // Without the plugin, the dev server's HTML fallback answers here, with HTTP 200.
  if (!response.headers.get('content-type')?.includes('json')) {
    throw new Error(`The server answered HTTP ${response.status}, but not with JSON.`)
  }
  const envelope = (await response.json()) as ItemsEnvelope
  if (!Array.isArray(envelope.data)) throw new Error('The answer has no list.')
  return { envelope, status: response.status, route: response.headers.get('x-mock-route') }
}
