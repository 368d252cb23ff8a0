/** A name for `import.meta.env`, which jiti would take for `process.env`. It is as long, so that columns stay. */
export const envName = 'importMetaEnv__'

export function renameEnv(text: string): string {
  return text.replaceAll(/\bimport\.meta\.env\b/g, envName)
}
