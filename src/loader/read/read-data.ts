import { extname } from 'node:path'
import type { Source } from '../../core/fixture/route.ts'
import { readJson } from './read-json.ts'
import { readYaml } from './read-yaml.ts'

export async function readData(path: string, file: string, text: string): Promise<Source> {
  const format = extname(path).slice(1)
  return format === 'yaml' || format === 'yml'
    ? readYaml(text, file)
    : readJson(text, file, format as 'json' | 'jsonc' | 'json5')
}
