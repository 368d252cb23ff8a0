export const action = async ({ request }) => new Response(`got ${await request.text()}`)
