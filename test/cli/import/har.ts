/** The parts of a HAR entry that tests give. */
interface EntryParts {
  method?: string
  url: string
  type?: string
  status?: number
  content?: object
  headers?: object[]
  postData?: object
  started?: string
}

/** An entry of a HAR file, as Chrome writes it. */
export function entry({
  method = 'GET',
  url,
  type,
  status = 200,
  content,
  headers = [],
  postData,
  started,
}: EntryParts) {
  return {
    ...(type !== undefined && { _resourceType: type }),
    startedDateTime: started ?? '2026-01-01T00:00:00.000Z',
    request: {
      method,
      url,
      httpVersion: 'h2',
      headers,
      queryString: [],
      cookies: [],
      ...(postData && { postData }),
    },
    response: {
      status,
      headers: [{ name: ':status', value: String(status) }],
      content: content ?? json({ id: 7 }),
    },
  }
}

export function json(value: unknown) {
  const text = JSON.stringify(value)
  return { size: text.length, mimeType: 'application/json', text }
}

export function har(entries: readonly unknown[]): string {
  return JSON.stringify({ log: { version: '1.2', creator: {}, pages: [], entries } })
}
