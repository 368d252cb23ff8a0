import { createFetchHandler } from 'unplugin-mock-api/fetch'
import { loadRoutes } from 'unplugin-mock-api/load'

const routes = await loadRoutes('fixtures', { watch: process.env.NODE_ENV === 'development' })
const mockApi = createFetchHandler(routes, { base: '/api' })

async function handler(request: Request): Promise<Response> {
  return (await mockApi(request)) ?? new Response('No fixture has this path.', { status: 404 })
}

export {
  handler as GET,
  handler as POST,
  handler as PUT,
  handler as PATCH,
  handler as DELETE,
  handler as OPTIONS,
}
