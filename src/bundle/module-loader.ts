import { createJiti } from 'jiti'

interface LoaderContext {
  resourcePath: string
  /** `source` replaces the file's content. */
  getOptions: () => { source?: string }
}

/** Translates TypeScript: a project's own loader may be missing, or only take the application's folder. */
export default function moduleLoader(this: LoaderContext, text: string): string {
  const { source } = this.getOptions()
  if (source !== undefined) return source
  return createJiti(import.meta.url).transform({ source: text, filename: this.resourcePath, ts: true })
}
