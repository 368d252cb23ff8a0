export const loader = async () => Response.json(await (await fetch('https://pay.example/charges/7')).json())
