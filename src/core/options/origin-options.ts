import { hostNameOf, parseOrigin } from '../http/host-name.ts'
import type { OriginPolicy } from '../http/origin.ts'
import { isBoolean, type OptionKind } from './option-kinds.ts'

/** Which pages and host names are accepted, for servers that do not check them first. */
export interface OriginOptions {
  /**
   * Which pages of other origins can send requests. Default: those of this machine (`localhost`, `127.0.0.1`) and of the
   * request's own host, with any port. A list adds origins, `true` allows every page, and `false` leaves CORS to the
   * application: no header is added, and nothing is refused.
   */
  cors?: boolean | string[] | undefined
  /**
   * Host names to accept in addition to `localhost`, its subdomains and IP addresses; `.example.com` means a domain and
   * its subdomains, and `true` every name. Default: none, so that no web page can reach the server through its own host
   * name (DNS rebinding). Requests over HTTPS are not checked: the certificate proves the name.
   */
  allowedHosts?: true | string[] | undefined
}

const isMatch = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value)

export const originKinds = {
  cors: {
    expected: 'true, false, or a list of origins such as "https://app.example.com"',
    accepts: isBoolean,
    acceptsItem: isMatch(/^(?:null|[a-z][a-z\d+.-]*:\/\/[^/?#@\s]+)$/i),
  },
  allowedHosts: {
    expected: 'true, or a list of host names without port',
    accepts: (value) => value === true,
    acceptsItem: isMatch(/^\.?[^/?#@:\s]+$/),
  },
} satisfies Record<keyof OriginOptions, OptionKind>

/** Names as browsers send them: in lower case, `bücher.example` as `xn--bcher-kva.example`, without a default port. */
export function resolveOrigins({ cors, allowedHosts }: OriginOptions): OriginPolicy {
  return {
    origins: cors === false ? 'off' : cors === true ? 'every' : new Set((cors ?? []).map(canonicalOrigin)),
    hosts: allowedHosts === true ? 'every' : (allowedHosts ?? []).map(canonicalHost),
    addsHeaders: true,
  }
}

function canonicalOrigin(origin: string): string {
  return parseOrigin(origin)?.text ?? origin.toLowerCase()
}

function canonicalHost(host: string): string {
  const dot = host.startsWith('.') ? '.' : ''
  return `${dot}${hostNameOf(host.slice(dot.length)) ?? host.slice(dot.length).toLowerCase()}`
}
