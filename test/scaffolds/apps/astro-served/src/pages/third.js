export const prerender = false
export const GET = async () => Response.json(await (await fetch('https://pay.example/charges/7')).json())
