/* The examples, as projects of their own: copied out of this repository, with the packed package. */
import { execFile } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const packageRoot = fileURLToPath(new URL('..', import.meta.url))
const examples = join(packageRoot, 'examples')

/** What a run or an install leaves behind in the folder of an example. */
const generated = new Set([
  'node_modules',
  'dist',
  '.next',
  'next-env.d.ts',
  '.svelte-kit',
  'test-results',
  'package-lock.json',
])

/** The names of all examples. */
export function exampleNames(): string[] {
  return readdirSync(examples, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
}

/** Packs what `npm run build` has made. @returns the path of the tarball */
export async function packPackage(folder: string): Promise<string> {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const shell = process.platform === 'win32'
  const { stdout } = await promisify(execFile)('npm', args, { cwd: packageRoot, shell })
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
  return join(folder, filename)
}

/** Copies an example into a folder of that name, where it depends on the tarball. @returns the path of the copy */
export function copyExample(name: string, folder: string, tarball: string): string {
  const project = join(folder, name)
  cpSync(join(examples, name), project, {
    recursive: true,
    filter: (path) => !generated.has(basename(path)),
  })
  const manifest = join(project, 'package.json')
  const text = readFileSync(manifest, 'utf8')
  const range = /("unplugin-mock-api": )"[^"]*"/
  if (!range.test(text)) throw new Error(`examples/${name} does not depend on unplugin-mock-api.`)
  writeFileSync(
    manifest,
    text.replace(range, (_, key: string) => key + JSON.stringify(`file:${tarball}`)),
  )
  return project
}
