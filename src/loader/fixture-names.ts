import { basename, extname } from 'node:path'

/** File name extensions that a fixture file can have. */
export const fixtureExtensions = 'yaml yml json jsonc json5 ts mts cts js mjs cjs'.split(' ')

export function isFixtureName(path: string): boolean {
  return fixtureExtensions.includes(extname(path).slice(1)) && !/\.d\.[cm]?ts$/.test(path)
}

/** Whether a file is plain data, according to its name. */
export function isDataFile(path: string): boolean {
  return /^\.(?:ya?ml|json[c5]?)$/.test(extname(path))
}

/**
 * The name that a fixture file was probably meant to have, if its own is no fixture file's: Windows hides the end of
 * `orders.yaml.txt`, `ORDERS.YAML` is another extension, and `orders.yalm` is mistyped. `undefined` for all other files.
 */
export function meantName(path: string): string | undefined {
  const name = basename(path)
  const meant = name.replace(/\.txt$/i, '').replace(/(?<=\.)\w+$/, meantExtension)
  return isFixtureName(meant) && !isFixtureName(name) ? meant : undefined
}

/**
 * The name without its dot of a fixture file that is hidden, so that the search skips it. `undefined` for all other files, and for
 * what programs leave behind (`.#orders.yaml`, `._orders.yaml`) or are set up by (`.prettierrc.json`).
 */
export function hiddenName(path: string): string | undefined {
  const name = basename(path)
  return /^\.\w(?!.*rc\.)/.test(name) && !name.startsWith('._') && isFixtureName(name)
    ? name.slice(1)
    : undefined
}

/** With letters that are swapped or doubled. With one letter more or another one, it may be another format: `jsonl`, `xml`. */
function meantExtension(extension: string): string {
  const letters = lettersOf(extension.toLowerCase())
  return ['yaml', 'yml', 'json'].find((known) => lettersOf(known) === letters) ?? extension.toLowerCase()
}

function lettersOf(text: string): string {
  return [...new Set(text)].sort().join('')
}
