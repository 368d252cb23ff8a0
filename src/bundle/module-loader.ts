import { createJiti } from 'jiti'
import { renameEnv } from '../loader/module/env-name.ts'

interface LoaderContext {
  resourcePath: string
  /** `source` replaces the file's content. */
  getOptions: () => { source?: string }
}

/** Translates TypeScript: a project's own loader may be missing, or only take the application's folder. */
export default function moduleLoader(this: LoaderContext, text: string): string {
  const { source } = this.getOptions()
  if (source !== undefined) return source
  const { resourcePath: filename } = this
  const jsx = /x$/.test(filename) && ({ runtime: 'automatic' } as const)
  return createJiti(import.meta.url).transform({ source: renameEnv(text), filename, ts: true, jsx })
}
