import { readFileSync } from 'node:fs'

/** The packages and the files of ours that a built file holds. esbuild names each in a comment. */
export function contentsOf(file: string): { packages: string[]; ours: string[] } {
  const packages = new Set<string>()
  const ours = new Set<string>()
  const names = /^\/\/ (?:\S*node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\S*|src\/(\S+))$/gm
  for (const [, name, path] of readFileSync(file, 'utf8').matchAll(names)) {
    if (name) packages.add(name)
    else ours.add(path!)
  }
  return { packages: [...packages], ours: [...ours] }
}
