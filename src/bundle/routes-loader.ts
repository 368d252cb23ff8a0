/* The loader of `virtual:mock-api` imports nothing: whatever copy a bundler loads, the compiler has the plugin's function. */

const writerKey = Symbol.for('unplugin-mock-api.routes-module')

/** The part of webpack's loader context that is used; Rspack's is the same. */
export interface LoaderContext {
  _compiler: { root?: object }
  async: () => (error: Error | null, code?: string) => void
  addDependency: (file: string) => void
  addContextDependency: (folder: string) => void
  addMissingDependency: (path: string) => void
  emitWarning: (warning: Error) => void
}

export type WriteForLoader = (context: LoaderContext) => Promise<string>

export default function routesLoader(this: LoaderContext): void {
  const done = this.async()
  const compiler = this._compiler.root ?? this._compiler
  const write = (compiler as { [writerKey]?: WriteForLoader })[writerKey]!
  write(this).then((code) => done(null, code), done)
}
