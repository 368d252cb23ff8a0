/** Files and modules of the dev server have a dot in the last part of their path, or an @. Its control API may be off. */
export function isOfDevServer(url: string): boolean {
  if (!url.startsWith('/') /* `*`, or a whole URL */ || url.includes('@') || url.startsWith('/__mock-api/'))
    return true
  const query = url.indexOf('?')
  const end = query === -1 ? url.length : query
  return url.lastIndexOf('.', end) > url.lastIndexOf('/', end)
}
