export const POST = async ({ request }) => new Response(`SvelteKit got ${await request.text()}`)
