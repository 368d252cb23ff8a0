export const GET = async ({ fetch }) =>
  Response.json(await (await fetch('https://pay.example/charges/7')).json())
