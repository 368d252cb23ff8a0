/*
 * Host names and origins are compared as they are parsed, never as text: `http://evil.example?.localhost` ends like a name
 * of this machine, and is not one.
 */

/** An origin as a browser sends it: `null`, or scheme, host and port and nothing else. */
const originPattern = /^([a-z][a-z\d+.-]*):\/\/([^/?#@\\\s]+)$/i

const hostPattern = /^(?:\[[\da-f:.]+\]|[^/?#@\\\s:[\]%]+)(?::\d{0,5})?$/i

/** A name that parsing leaves as it is, with a port: `localhost:5173`, nearly every request. */
const plainHost = /^((?!xn--)[a-z][a-z-]*|127\.0\.0\.1)(?::(?:\d{1,4}|[1-5]\d{4}))?$/

/**
 * The host name in the header `host` (`name:port`): in lower case, IPv6 addresses in their shortest form, without the
 * dot that makes a name absolute. `undefined` where it is not a host that a browser could ask.
 */
export function hostNameOf(host: string): string | undefined {
  const plain = plainHost.exec(host)?.[1]
  if (plain) return plain
  if (!hostPattern.test(host)) return undefined
  try {
    const { hostname } = new URL(`http://${host}`)
    const name = hostname.replace(/\.$/, '')
    // A browser writes IPv4 addresses with four decimal numbers. What else is read as one (`1.2.3`, `0x7f.1`) is not.
    const isRewritten = isIPv4(name) && name !== host.replace(/:\d*$/, '').replace(/\.$/, '')
    const isDomain = name.split('.').every((label) => label !== '')
    return isRewritten || !isDomain ? undefined : name
  } catch {
    return undefined
  }
}

/** The parts of an origin; `undefined` where the text is not one, and for `null`. */
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

/** Whether only programs of this machine can have a host name. */
export function isLoopback(name: string): boolean {
  if (name === 'localhost' || name === '[::1]' || name.endsWith('.localhost')) return true
  return name.startsWith('127.') && isIPv4(name)
}

/** Whether a parsed host name is an IP address. */
export function isAddress(name: string): boolean {
  return name.startsWith('[') || isIPv4(name)
}

function isIPv4(name: string): boolean {
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name)
}
