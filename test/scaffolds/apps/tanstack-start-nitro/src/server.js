import handler from '@tanstack/react-start/server-entry'

if (import.meta.env.DEV) {
  const { createMiddleware } = await import('unplugin-mock-api/connect')
  await createMiddleware({ outgoing: 'http://localhost:3000', logLevel: 'error' }).ready
}

export default handler
