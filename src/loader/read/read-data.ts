import { extname } from 'node:path'
import type { Source } from '../source.ts'

/** Whether a file is plain data, as far as its name tells. */
export function isDataFile(path: string): boolean {
  return /^\.(?:ya?ml|json[c5]?)$/.test(extname(path))
}

/** Reads a file of plain data. A reader is loaded when the first file needs it: a start pays for what the project uses. */
export async function readData(path: string, file: string, text: string): Promise<Source> {
  const format = extname(path).slice(1)
  return format === 'yaml' || format === 'yml'
    ? (await import('./read-yaml.ts')).readYaml(text, file)
    : (await import('./read-json.ts')).readJson(text, file, format as 'json' | 'jsonc' | 'json5')
}
