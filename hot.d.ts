/*
 * The event of `import.meta.hot` that the plugin sends, typed. Name it in the `types` of the application's tsconfig.json:
 * `"types": ["vite/client", "unplugin-mock-api/hot"]`.
 */
import 'vite/types/customEvent.d.ts'

declare module 'vite/types/customEvent.d.ts' {
  interface CustomEventMap {
    /** The fixture files were loaded again, so answers may be different now. */
    'mock-api:reload': {
      /** How many routes there are now. */
      routeCount: number
      /** How many errors the fixture files have. */
      errors: number
    }
  }
}
