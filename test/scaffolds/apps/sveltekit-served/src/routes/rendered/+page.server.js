export async function load({ fetch }) {
  const response = await fetch('/items?page=3')
  return { list: await response.json() }
}
