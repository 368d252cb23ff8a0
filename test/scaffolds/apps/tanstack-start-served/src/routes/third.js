import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/third')({
  server: {
    handlers: {
      GET: async () => Response.json(await (await fetch('https://pay.example/charges/7')).json()),
    },
  },
})
