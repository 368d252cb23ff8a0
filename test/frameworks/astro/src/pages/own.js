export const prerender = false
export const POST = async ({ request }) => new Response(`Astro got ${await request.text()}`)
