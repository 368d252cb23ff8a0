/** One value for the ES modules of this package and for their CommonJS, which a process may load both. */
export function inProcess<T>(name: string, make: () => T): T {
  const key = Symbol.for(`unplugin-mock-api.${name}`)
  return ((globalThis as Record<symbol, unknown>)[key] ??= make()) as T
}
