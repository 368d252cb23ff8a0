import { createApiClient } from '../../client/api-client.ts'

/** Calls the control API. Its path is relative to the page, which is served below the host's base. */
export const { call } = createApiClient({
  base: 'api/',
  explain: (status) =>
    status === 0
      ? 'The dev server did not answer. Is it running?'
      : `The dev server answered HTTP ${status}. Look into its terminal.`,
})

/** What to tell the user about a call that has failed. */
export function reasonOf(failed: unknown): string {
  return failed instanceof Error ? failed.message : String(failed)
}
