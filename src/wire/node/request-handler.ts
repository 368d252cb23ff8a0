import type { IncomingMessage, ServerResponse } from 'node:http'

/** Passes a request on. An error goes to the error handler of the host. */
export type Next = (error?: unknown) => void

/** A connect-style middleware function. */
export type RequestHandler = (req: IncomingMessage, res: ServerResponse, next: Next) => void

/** Answers of the handler that is last in line, which says that no other one knew the path. */
export const unansweredResponses = new WeakSet<ServerResponse>()
