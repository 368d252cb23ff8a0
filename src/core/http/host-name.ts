/** Hosts are compared after parsing: `http://evil.example?.localhost` ends like a local host name but is not one. */

/** An origin as a browser sends it: `null`, or scheme, host and port and nothing else. */
const originPattern = /^([a-z][a-z\d+.-]*):\/\/([^/?#@\\\s]+)$/i

const hostPattern = /^(?:\[[\da-f:.]+\]|[^/?#@\\\s:[\]%]+)(?::\d{0,5})?$/i

/** A name and port that parsing does not change: `localhost:5173`, as in nearly every request. */
const plainHost = /^((?!xn--)[a-z][a-z-]*|127\.0\.0\.1)(?::(?:\d{1,4}|[1-5]\d{4}))?$/

/** The host name in lower case, without a trailing dot. `undefined` where a browser could not send requests. */
export function hostNameOf(host: string): string | undefined {
  const plain = plainHost.exec(host)?.[1]
  if (plain) return plain
  if (!hostPattern.test(host)) return undefined
  try {
    const { hostname } = new URL(`http://${host}`)
    const name = hostname.replace(/\.$/, '')
    // Browsers send IPv4 addresses as four decimal numbers. Other spellings (`1.2.3`, `0x7f.1`) are rejected.
    const isRewritten = isIPv4(name) && name !== host.replace(/:\d*$/, '').replace(/\.$/, '')
    const isDomain = name.split('.').every((label) => label !== '')
    return isRewritten || !isDomain ? undefined : name
  } catch {
    return undefined
  }
}

/** `undefined` when the string is not an origin, and for `null`. */
export function parseOrigin(origin: string): { scheme: string; name: string; text: string } | undefined {
  const [, scheme = '', host = ''] = originPattern.exec(origin) ?? []
  const name = hostNameOf(host)
  if (name === undefined) return undefined
  const port = /:(\d*)$/.exec(host)?.[1] ?? ''
  const lower = scheme.toLowerCase()
  const isDefault = port === '' || Number(port) === defaultPorts.get(lower)
  return { scheme: lower, name, text: `${lower}://${name}${isDefault ? '' : `:${Number(port)}`}` }
}

const defaultPorts = new Map([
  ['http', 80],
  ['https', 443],
])

/** Whether a host name always means this machine. */
export function isLoopback(name: string): boolean {
  if (name === 'localhost' || name === '[::1]' || name.endsWith('.localhost')) return true
  return name.startsWith('127.') && isIPv4(name)
}

/** Whether a request to the URL always leaves this machine. */
export function isOutside({ protocol, hostname }: URL): boolean {
  return /^(?:https?|wss?):$/.test(protocol) && !isLoopback(hostname)
}

export function isAddress(name: string): boolean {
  return name.startsWith('[') || isIPv4(name)
}

function isIPv4(name: string): boolean {
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name)
}

/**
 * An address that requests can be sent to, perhaps with a path, in the form in which it is parsed.
 *
 * @returns `undefined` if the text is not such an address; line breaks, which `new URL` would remove, are not accepted
 */
export function canonicalTarget(given: string): string | undefined {
  if (!/^https?:\/\/[^\s\p{Cc}]+$/iu.test(given) || !URL.canParse(given)) return undefined
  // Paths are appended: `http://a/b#` would send all of them to `/b`.
  const { href, username, password } = new URL(given)
  return /[?#]/.test(given) || username !== '' || password !== '' ? undefined : href.replace(/\/$/, '')
}
