import type { ApiError } from '../../api.ts'

/** An error of the control API, or of the connection to it. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  /** How to fix it, in one sentence. */
  readonly fix: string
  /** 0 where there is no answer. */
  readonly status: number

  constructor(message: string, fix: string, status: number) {
    super(message)
    this.fix = fix
    this.status = status
  }
}

/**
 * Calls the control API. The path is relative to the page, which is served below the host's base.
 *
 * @param path `routes`, `requests/42`
 * @throws ApiFailure
 */
export async function callApi<Answer>(
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: unknown,
): Promise<Answer> {
  // The header tells the server that the request is from this page: other origins can't send it.
  const headers = { 'x-mock-api': '1', ...(body !== undefined && { 'content-type': 'application/json' }) }
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const response = await fetch(`api/${path}`, init).catch(() => {
    throw new ApiFailure('The dev server did not answer.', 'Is it running?', 0)
  })
  const answer = (await response.json().catch(() => undefined)) as Answer | ApiError | undefined
  if (response.ok && answer !== undefined) return answer as Answer
  const error = (answer as ApiError | undefined)?.error
  throw new ApiFailure(
    error?.message ?? `The dev server answered HTTP ${response.status}.`,
    error?.fix ?? 'Look into its terminal.',
    response.status,
  )
}
