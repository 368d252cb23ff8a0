import type { OriginPolicy } from '../core/http/origin.ts'

/*
 * What each dev server leaves to us of the decision which pages and host names are answered. What a server has allowed is
 * seen by the header `access-control-allow-origin` that it has set by then.
 */

const none: ReadonlySet<string> = new Set()

/**
 * Vite checks host names and adds CORS headers, but it refuses no page: one of another site may send requests, and only
 * can't read the answers.
 *
 * @see https://vite.dev/config/server-options#server-cors
 */
export const viteOrigins: OriginPolicy = {
  origins: none,
  hosts: 'every',
  addsHeaders: false,
  options: { origins: 'the option "server.cors" of Vite' },
}

/**
 * webpack-dev-server and Rspack check host names, and refuse some requests of other sites, but a form is let through. They
 * add no CORS headers.
 *
 * @param allowedHosts the server's option; with `all` it lets every page through
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
 * Rsbuild adds CORS headers as Vite does. It checks host names only where its option `server.allowedHosts` is set: by
 * default, it answers under every name.
 *
 * @param server the options as the user has written them
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
