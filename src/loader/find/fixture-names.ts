import { readdirSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { attempt } from '../../core/values/thrown.ts'

export const fixtureExtensions = 'yaml yml json jsonc json5 ts mts cts js mjs cjs'.split(' ')

export function isFixtureName(path: string): boolean {
  return fixtureExtensions.includes(extname(path).slice(1)) && !/\.d\.[cm]?ts$/.test(path)
}

export function isDataFile(path: string): boolean {
  return /^\.(?:ya?ml|json[c5]?)$/.test(extname(path))
}

/** `undefined` unless the name is a slip: `orders.yaml.txt` (Windows hides the end), `ORDERS.YAML`, or `orders.yalm`. */
export function meantName(path: string): string | undefined {
  const name = basename(path)
  const meant = name.replace(/\.txt$/i, '').replace(/(?<=\.)\w+$/, meantExtension)
  return isFixtureName(meant) && !isFixtureName(name) ? meant : undefined
}

/** `undefined` for what programs leave (`.#orders.yaml`, `._orders.yaml`) or are set up by (`.prettierrc.json`). */
export function hiddenName(path: string): string | undefined {
  const name = basename(path)
  return /^\.\w(?!.*rc\.)/.test(name) && !name.startsWith('._') && isFixtureName(name)
    ? name.slice(1)
    : undefined
}

/** Letters may be swapped or doubled. One letter more, or another one, may be another format: `jsonl`, `xml`. */
function meantExtension(extension: string): string {
  const letters = lettersOf(extension.toLowerCase())
  return ['yaml', 'yml', 'json'].find((known) => lettersOf(known) === letters) ?? extension.toLowerCase()
}

function lettersOf(text: string): string {
  return [...new Set(text)].sort().join('')
}

/** Names in a folder; none in a file, or in a folder that can't be read. */
export function namesIn(folder: string): string[] {
  return attempt(() => readdirSync(folder).sort()) ?? []
}
