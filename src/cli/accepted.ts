import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { acceptedFile } from '../backend/compare/accepted-differences.ts'
import { readAccepted } from '../explore/accepted.ts'
import { fileToRead } from './places.ts'

/** The list of what a project accepts, and its file. @param given instead of the usual file */
export function acceptedIn(root: string, given: string | undefined) {
  const path = given === undefined ? resolve(root, acceptedFile) : fileToRead(root, given)
  const file = given ?? acceptedFile
  return { file, ...readAccepted(existsSync(path) ? readFileSync(path, 'utf8') : '', file) }
}
