import { createFileRoute } from '@tanstack/react-router'
import { createServerFn } from '@tanstack/react-start'
import { getRequest } from '@tanstack/react-start/server'

const getList = createServerFn().handler(async () => {
  const response = await fetch(new URL('/items?page=3', getRequest().url))
  return response.json()
})

export const Route = createFileRoute('/rendered')({
  loader: () => getList(),
  component: () => <p>{`The last is ${Route.useLoaderData().data.at(-1).name}`}</p>,
})
