import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Identifies what a build is made of: the sources, and the versions of the packages. Equal ones give equal routes. */
export function buildId(): string {
  const hash = createHash('sha1')
  const sources = readdirSync('src', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  for (const file of ['package.json', 'package-lock.json', ...sources.sort()]) hash.update(readFileSync(file))
  return hash.digest('hex')
}
