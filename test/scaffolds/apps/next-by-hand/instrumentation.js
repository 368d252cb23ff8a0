export async function register() {
  if (process.env.NEXT_RUNTIME === 'nodejs' && process.env.NODE_ENV === 'development') {
    const { createServer } = await import('node:http')
    const { createMiddleware } = await import('unplugin-mock-api/connect')
    createServer(createMiddleware({ outgoing: true })).listen(4000, '127.0.0.1')
  }
}
