import type { IncomingMessage, ServerResponse } from 'node:http'

/** Passes a request on. An error goes to the error handler of the host. */
export type Next = (error?: unknown) => void

/** A connect-style middleware function. */
export type RequestHandler = (req: IncomingMessage, res: ServerResponse, next: Next) => void

/** `DEBUG=connect:*` shows the name. The build shortens the names of functions. */
export function withName<H extends object>(middleware: H): H {
  return Object.defineProperty(middleware, 'name', { value: 'mockApiMiddleware' })
}
