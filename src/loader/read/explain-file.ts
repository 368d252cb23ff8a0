import { existsSync } from 'node:fs'
import { basename, dirname, parse, posix, relative, resolve } from 'node:path'
import { formatPlace } from '../../core/diagnostics/format.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { describeValue, quote } from '../../core/values/describe-value.ts'
import { nearestName } from '../../core/values/spelling.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import { isPlainObject } from '../../core/values/values.ts'
import { displayPath, isInside, toPosix } from '../../files/paths.ts'
import { isDataFile, namesIn } from '../find/fixture-names.ts'
import { isFolder } from '../../files/links.ts'
import { UnusableFileError } from '../../files/read-whole-file.ts'

interface FileProblem {
  reason: string
  fix?: string
}

export function noList(value: unknown, name: string): UnusableFileError {
  const what = describeValue(value)
  const keys = isPlainObject(value) ? Object.keys(value).filter((key) => Array.isArray(value[key])) : []
  const fix =
    keys.length === 1
      ? `Keep only the list under ${quote(keys[0]!)} in the file.`
      : `Write a list into the file, as in [{ "id": 1 }], or send the file as it is, with response: { file: ${quote(name)} } instead of a list of items.`
  return new UnusableFileError(`it has ${what} in it, not a list`, fix)
}

export function invalidList(diagnostic: Diagnostic): UnusableFileError {
  return new UnusableFileError(`${formatPlace(diagnostic)} ${diagnostic.message}`, diagnostic.fix)
}

export function explainFile(
  error: unknown,
  root: string,
  fixturePath: string,
  name: string,
  isList: boolean,
): FileProblem {
  const path = resolve(dirname(fixturePath), name)
  if (error instanceof UnusableFileError) return { reason: error.message, fix: error.fix }
  if (isFolder(path)) return { reason: reasonOf(error), fix: nameFileIn(path, name, isList) }
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    const meant = findMeantFile(root, fixturePath, name)
    const reason = `there is no file ${displayPath(root, path)}`
    return meant === undefined
      ? { reason }
      : { reason, fix: `Did you mean ${quote(meant)}? The path is relative to this fixture file.` }
  }
  const mayNotRead = code === 'EACCES' || code === 'EPERM'
  const fix = mayNotRead ? 'Change its permissions, so that it may be read.' : 'Name another file.'
  return { reason: reasonOf(error), fix }
}

function nameFileIn(folder: string, name: string, isList: boolean): string {
  const files = namesIn(folder).filter((entry) => parse(entry).ext !== '' && (!isList || isDataFile(entry)))
  return files[0] === undefined
    ? 'Name a file instead.'
    : `Name a file in it, as in file: ${quote(posix.join(toPosix(name), files[0]))}.`
}

/** The file that was meant by a path from the root, with backslashes, without its extension, or with a typo. */
function findMeantFile(root: string, fixturePath: string, name: string): string | undefined {
  const folder = dirname(fixturePath)
  const path = resolve(folder, name)
  const names = namesIn(dirname(path))
  const wanted = basename(path)
  const similar = names.find((entry) => parse(entry).name === wanted) ?? nearestName(wanted, names)
  const candidates = [
    resolve(folder, name.replaceAll('\\', '/')),
    resolve(root, name),
    resolve(root, `./${name}`),
    ...(similar === undefined ? [] : [resolve(dirname(path), similar)]),
  ]
  const found = candidates.find((file) => isInside(root, file) && file !== fixturePath && existsSync(file))
  return found && toPosix(relative(folder, found))
}
