import { readYaml } from '../../../src/reader/read-yaml.ts'
import type { Prepared } from './play-server.ts'
import { homeExample, startingPoints } from './starting-points.ts'

/** Texts that the build of the site has read: their first answer waits for no parser of YAML. By file and text. */
export declare const data: Record<string, Prepared>

export default {
  async load(): Promise<Record<string, Prepared>> {
    const read = [...startingPoints, homeExample].map(async ({ id, file, text }) => {
      const source = await readYaml(text, file)
      if (!('value' in source))
        throw new Error(`The starting point ${id} cannot be read: ${source.diagnostic.message}`)
      const list = source.value as unknown[]
      return [id, { list, places: list.map((_, index) => source.locate([index], 'value')) }] as const
    })
    return Object.fromEntries(await Promise.all(read))
  },
}
