/* What importers ask of Node, for a worker of a page: there are no files. */

Object.assign(globalThis, {
  process: { cpuUsage: () => ({ user: Infinity, system: 0 }) },
  Buffer: {
    from: (text: string, encoding?: string) =>
      encoding === 'base64'
        ? Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0))
        : new TextEncoder().encode(text),
  },
})

export const existsSync = () => false
export const isUtf8 = () => true
export const realpathSync = (path: string) => path
export { noFile as lstatSync, noFile as readFileSync, noFile as readlinkSync, noFile as statSync }

function noFile(path: string): never {
  throw new Error(`there is no file ${path} here`)
}

export const resolve = (...parts: string[]) => new URL(parts.join('/'), 'file:///').pathname
export const join = resolve
export const dirname = (path: string) => path.replace(/\/[^/]*$/, '') || '/'
export const basename = (path: string) => path.replace(/.*\//, '')
export const relative = (_: string, path: string) => path
export const sep = '/'
export const isAbsolute = (path: string) => path.startsWith('/')
export default { resolve, join, dirname, basename, relative, sep, isAbsolute }

/** The page ends its worker instead. */
export class Script {
  runInContext(context: { test: () => unknown }): unknown {
    return context.test()
  }
}
export const createContext = <T>(sandbox: T) => sandbox
