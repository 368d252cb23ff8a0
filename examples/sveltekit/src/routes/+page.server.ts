import { error } from '@sveltejs/kit'
import type { PageServerLoad } from './$types'

interface Hike {
  id: string
  name: string
  kilometres: number
}

interface HikePage {
  offset: number
  limit: number
  total: number
  has_more: boolean
  data: Hike[]
}

/** Runs on the server. SvelteKit's own `fetch` takes relative URLs there too. */
export const load: PageServerLoad = async ({ fetch, url }) => {
  const offset = url.searchParams.get('offset') ?? '0'
  const response = await fetch(`/api/hikes?offset=${offset}`)
  if (!response.ok) error(response.status, 'The hikes could not be loaded.')
  const hikes: HikePage = await response.json()
  return { hikes }
}
