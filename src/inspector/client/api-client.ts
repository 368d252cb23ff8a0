import type { ApiError, StreamEvent } from '../api/api.ts'
import type { AnswerOf, BodyOf, EndpointName } from '../api/endpoints.ts'

/**
 * An error that the control API has answered with, or that there was no answer of it.
 *
 * @example
 * await client.setScenario('payment-dwon').catch((error: ControlApiError) => console.log(error.code)) // api-scenario-unknown
 */
export class ControlApiError extends Error {
  override readonly name = 'ControlApiError'
  constructor(
    message: string,
    /** HTTP status; 0 without an answer. */
    readonly status: number,
    /** Such as `api-route-unknown`; empty for an answer that is not from the control API. */
    readonly code = '',
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

interface Connection {
  /** Ends with a slash. May be relative in a page of the server. */
  base: string
  client?: string | undefined
  headers?: Record<string, string>
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** The message for an answer that is not from the control API; `status` is 0 without an answer. */
  explain?: (status: number) => string
  /** Reads the JSON of an answer. Default `JSON.parse`, which rounds numbers of many digits. */
  read?: (json: string) => unknown
}

export interface Call<Name extends EndpointName> {
  body?: BodyOf<Name>
  id?: number
  params?: { collection: string; item?: string }
  query?: string
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** @throws ControlApiError for an answer that is an error */
export type ApiCall = <Name extends EndpointName>(name: Name, given?: Call<Name>) => Promise<AnswerOf<Name>>

export function createApiClient({
  base,
  client,
  headers = {},
  fetch: send = fetch,
  explain = (status) => `There is no control API at ${base} (status ${status}).`,
  read = JSON.parse,
}: Connection) {
  async function ask<Name extends EndpointName>(name: Name, given: Call<Name> = {}): Promise<Response> {
    const { body, id, params, query = '', signal } = given
    const [method, path] = name.split(' /') as [string, string]
    const init: RequestInit = {
      method,
      headers: {
        'x-mock-api': '1', // pages of other origins can't send it
        ...(client !== undefined && { 'x-mock-client': client }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
        ...given.headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    }
    const url = `${base}${path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String({ id, ...params }[name as 'id'])))}${query && `?${query}`}`
    const response = await send(url, init).catch((error: unknown) => {
      if (signal?.aborted) throw error
      throw new ControlApiError(explain(0), 0, '', { cause: error })
    })
    const type = response.headers.get('content-type') ?? ''
    if (response.ok && /^(?:application\/json|text\/event-stream)\b/.test(type)) return response
    const error = ((await response.json().catch(() => undefined)) as ApiError | undefined)?.error
    if (!error) throw new ControlApiError(explain(response.status), response.status)
    throw new ControlApiError(`${error.message} ${error.fix}`, response.status, error.code)
  }

  const call: ApiCall = async (name, given) => read(await (await ask(name, given)).text()) as never
  async function* stream(given: Call<'GET /requests/stream'>): AsyncGenerator<StreamEvent, void> {
    const { body } = await ask('GET /requests/stream', given)
    yield* readEvents(body!)
  }
  return { call, stream }
}

/** An event as the control API writes it. Comments and `retry` do not match. */
const eventPattern = /^event: (.*)\n(?:id: .*\n)?data: (.*)$/

async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop()!
      for (const block of blocks) {
        const [, event, json] = eventPattern.exec(block) ?? []
        if (json !== undefined) yield { event, data: JSON.parse(json) as unknown } as StreamEvent
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
