export const POST = async ({ request }) => new Response(`got ${await request.text()}`)
