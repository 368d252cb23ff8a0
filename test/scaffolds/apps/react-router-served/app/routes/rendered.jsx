export async function loader({ request }) {
  const response = await fetch(new URL('/items?page=3', request.url))
  return { list: await response.json() }
}

export default function Rendered({ loaderData }) {
  return <p>{`The last is ${loaderData.list.data.at(-1).name}`}</p>
}
