import type { OriginPolicy } from '../core/http/origin.ts'

/*
 * The checks of pages and host names that dev servers leave to the plugin. An origin that the server has allowed
 * shows in `access-control-allow-origin`, which it sets first.
 */

const none: ReadonlySet<string> = new Set()

/** Accepts all: for programs, and where something else has refused pages of other sites. */
export const anyOrigin: OriginPolicy = { origins: 'every', hosts: 'every', addsHeaders: true }

interface HostChecks {
  /** Vite and Rsbuild: `true` or names. webpack: `all`, `auto`, a name, or names. */
  allowedHosts?: unknown
  host?: unknown
  /** The option of Vite and Rsbuild. */
  cors?: unknown
  /** The option for more names, in a message. */
  named: string
}

/** Policy for upgrades: the host checks only those of its own socket. */
export function socketOrigins(
  policy: OriginPolicy,
  { allowedHosts, host, cors, named }: HostChecks,
): OriginPolicy {
  const isEvery = allowedHosts === true || allowedHosts === 'all'
  const origin = typeof cors === 'object' && cors !== null ? (cors as { origin?: unknown }).origin : cors
  return {
    ...policy,
    hosts: isEvery ? 'every' : textsIn([host, allowedHosts].flat()),
    origins: origin === true || origin === '*' ? 'every' : new Set(textsIn([origin].flat())),
    options: { ...policy.options!, hosts: `the option "${named}"` },
  }
}

function textsIn(list: unknown[]): string[] {
  return list.flatMap((one) => (typeof one === 'string' ? one.toLowerCase() : []))
}

/**
 * Vite checks host names and adds CORS headers, but refuses no requests: pages of other sites can send them.
 * @see https://vite.dev/config/server-options#server-cors
 */
export const viteOrigins: OriginPolicy = {
  origins: none,
  hosts: 'every',
  addsHeaders: false,
  options: { origins: 'the option "server.cors" of Vite' },
}

/**
 * webpack-dev-server and Rspack check host names and refuse some requests of other sites, but not forms. They
 * add no CORS headers, and `all` lets every page through.
 * @see https://webpack.js.org/configuration/dev-server/#devserverallowedhosts
 */
export function webpackOrigins(allowedHosts: unknown): OriginPolicy {
  return {
    origins: none,
    hosts: 'every',
    addsHeaders: true,
    reflectOnly: allowedHosts === 'all',
    options: { origins: 'the header "access-control-allow-origin" in the option "devServer.headers"' },
  }
}

/**
 * Rsbuild adds CORS headers like Vite. It checks host names only if `server.allowedHosts` is set.
 * @param server the original options of the user
 * @see https://rsbuild.rs/config/server/cors
 */
export function rsbuildOrigins(
  server: { allowedHosts?: true | string[] | undefined; host?: string | boolean | undefined } = {},
): OriginPolicy {
  const { allowedHosts, host } = server
  return {
    origins: none,
    hosts: allowedHosts === undefined ? (typeof host === 'string' ? [host.toLowerCase()] : []) : 'every',
    addsHeaders: false,
    options: {
      origins: 'the option "server.cors" of Rsbuild',
      hosts: 'the option "server.allowedHosts" of Rsbuild',
    },
  }
}
