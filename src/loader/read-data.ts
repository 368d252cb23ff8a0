import { extname } from 'node:path'
import type { Diagnostic } from '../core/diagnostics.ts'
import type { FixtureFile } from '../core/parse-fixture.ts'

/** What a format's reader gives: the value, and where in the text its parts stand. */
export type Source = ({ value: unknown } & Omit<FixtureFile, 'file'>) | { diagnostic: Diagnostic }

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
