import { extname } from 'node:path'

/** File name extensions that a fixture file can have. */
export const fixtureExtensions = 'yaml yml json jsonc json5 ts mts cts js mjs cjs'.split(' ')

export function isFixtureName(path: string): boolean {
  return fixtureExtensions.includes(extname(path).slice(1)) && !/\.d\.[cm]?ts$/.test(path)
}
