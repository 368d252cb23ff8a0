/** Values of a response that only the network can set. */
type NetworkValues = Partial<Pick<Response, 'redirected' | 'type' | 'url'>>

/** Sets these on the response, and on each clone of it, as clients make them to read a body twice. */
export function withNetworkValues(response: Response, values: NetworkValues): Response {
  const clone = response.clone.bind(response)
  const all = { ...values, clone: () => withNetworkValues(clone(), values) }
  for (const [key, value] of Object.entries(all))
    Object.defineProperty(response, key, { configurable: true, value })
  return response
}
