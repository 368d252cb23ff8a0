/** Folder of the inspector, below the base of the host. */
export const inspectorFolder = '__mock-api'

/** @param base the host's base path, with or without a slash at its end */
export function inspectorAddress(origin: string | undefined, base: string): string | undefined {
  return origin && `${origin}${`/${base}/${inspectorFolder}/`.replace(/\/+/g, '/')}`
}
