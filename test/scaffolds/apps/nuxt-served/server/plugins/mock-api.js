export default defineNitroPlugin((nitro) => {
  if (import.meta.dev) {
    const started = import('unplugin-mock-api/connect').then(({ createMiddleware }) =>
      createMiddleware({ outgoing: 'http://localhost:3000', logLevel: 'error' }),
    )
    nitro.hooks.hook('request', async () => (await started).ready)
    nitro.hooks.hook('close', async () => (await started).close())
  }
})
