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
