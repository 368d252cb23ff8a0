import { readData } from '../../../src/reader/read-data.ts'
import { writeYaml } from '../../../src/writer/write-yaml.ts'
import { isJson, type Kept } from './link.ts'

/** `undefined` for a text with errors. Comments are lost. */
export async function otherFormat(kept: Kept): Promise<Kept | undefined> {
  const { file, text } = kept
  const source = await readData(text, file)
  if (!('value' in source)) return undefined
  return isJson(file)
    ? { ...kept, file: file.replace(/\.json\w*$/, '.yaml'), text: writeYaml(source.value as object[]) }
    : {
        ...kept,
        file: file.replace(/\.ya?ml$/, '.json'),
        text: `${JSON.stringify(source.value, null, 2)}\n`,
      }
}
