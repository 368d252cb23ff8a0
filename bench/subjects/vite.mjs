/** A Vite dev server in the working directory. */
import { createServer } from 'vite'

const server = await createServer({
  logLevel: 'error',
  server: { host: '127.0.0.1', port: Number(process.env.PORT) },
})
await server.listen()
