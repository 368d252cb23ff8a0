export const dynamic = 'force-dynamic'
export const GET = async () => Response.json(await (await fetch('https://pay.example/charges/7')).json())
