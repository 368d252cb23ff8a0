/*
 * The types of `virtual:mock-api`. Name them in the `types` of the application's tsconfig.json:
 * `"types": ["vite/client", "unplugin-mock-api/virtual"]`, or in a file:
 * `/// <reference types="unplugin-mock-api/virtual" />`.
 */

declare module 'virtual:mock-api' {
  import type { FetchHandler } from 'unplugin-mock-api/fetch'
  import type { Fixture } from 'unplugin-mock-api/fixture'

  /** The routes of all fixture files, in the order in which they are tried, as `createFetchHandler` takes them. */
  export const routes: Fixture
  /** Answers a request as the dev server does, or resolves to `undefined`. It is made when it is first used. */
  export const handler: FetchHandler
}
