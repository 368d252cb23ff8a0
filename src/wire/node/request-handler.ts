import type { IncomingMessage, ServerResponse } from 'node:http'

/** Passes a request on. An error goes to the host's error handler. */
export type Next = (error?: unknown) => void

/** A connect-style middleware function. */
export type RequestHandler = (req: IncomingMessage, res: ServerResponse, next: Next) => void

/** Gives a middleware the name that `DEBUG=connect:*` shows. The build shortens the names of functions. */
export function withName<H extends object>(middleware: H): H {
  return Object.defineProperty(middleware, 'name', { value: 'mockApiMiddleware' })
}
