/** What the plugin reports when it has loaded the fixture files again. */
interface Reload {
  routeCount: number
  errors: number
}

/**
 * Calls a function each time the fixture files were loaded again, so that the page can ask again instead of being reloaded.
 * Vite sends an event to its own client; the other dev servers have the stream of the control API.
 */
export function onFixtureReload(listener: (reload: Reload) => void): void {
  if (import.meta.hot) return import.meta.hot.on('mock-api:reload', listener)
  if (process.env.NODE_ENV === 'production') return
  new EventSource('/__mock-api/api/requests/stream').addEventListener('reload', ({ data }) =>
    listener(JSON.parse(data as string) as Reload),
  )
}
