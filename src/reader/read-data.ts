import type { FixtureSource } from '../core/fixture/route.ts'

/** A parser is loaded with the first file of its kind. */
export async function readData(text: string, file: string): Promise<FixtureSource> {
  const [, format] = /\.(\w+)$/.exec(file) ?? []
  if (format === 'yaml' || format === 'yml') {
    const { readYaml } = await import('./read-yaml.ts')
    return readYaml(text, file)
  }
  const { readJson } = await import('./read-json.ts')
  return readJson(text, file, format as 'json' | 'jsonc' | 'json5')
}
