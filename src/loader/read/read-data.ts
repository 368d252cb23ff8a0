import { extname } from 'node:path'
import type { Source } from '../../core/fixture/route.ts'

/** Whether a file is plain data, according to its name. */
export function isDataFile(path: string): boolean {
  return /^\.(?:ya?ml|json[c5]?)$/.test(extname(path))
}

/** Reads a data file. The reader of a format is imported with its first file, which keeps the start fast. */
export async function readData(path: string, file: string, text: string): Promise<Source> {
  const format = extname(path).slice(1)
  return format === 'yaml' || format === 'yml'
    ? (await import('./read-yaml.ts')).readYaml(text, file)
    : (await import('./read-json.ts')).readJson(text, file, format as 'json' | 'jsonc' | 'json5')
}
