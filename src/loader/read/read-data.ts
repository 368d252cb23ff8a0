import { extname } from 'node:path'
import type { Source } from '../../core/fixture/route.ts'
import { decodeText, encodingOf, readWholeFile, UnusableFileError } from '../../files/read-whole-file.ts'
import { isDataFile } from '../find/fixture-names.ts'

/** @throws what `readWholeFile` throws, and `UnusableFileError` for code in UTF-16 */
export function readText(path: string): string {
  const bytes = readWholeFile(path)
  if (!isDataFile(path) && encodingOf(bytes) === 'UTF-16')
    throw new UnusableFileError('it is in UTF-16, and code is read in UTF-8', 'Save the file in UTF-8.')
  const text = decodeText(bytes)
  return text.includes('\r') ? text.replaceAll(/\r(?!\n)/g, '\n') : text // a lone CR ends a line in YAML
}

/** A parser is loaded with the first file of its kind: the starter templates need none. */
export async function readData(path: string, file: string, text: string): Promise<Source> {
  const format = extname(path).slice(1)
  if (format === 'yaml' || format === 'yml') {
    const { readYaml } = await import('./read-yaml.ts')
    return readYaml(text, file)
  }
  const { readJson } = await import('./read-json.ts')
  return readJson(text, file, format as 'json' | 'jsonc' | 'json5')
}
