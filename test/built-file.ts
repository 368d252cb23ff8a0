import { globSync } from 'tinyglobby'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Output {
  bytes: number
  inputs: Record<string, { bytesInOutput: number }>
  imports: { path: string; kind: string }[]
}

const dist = fileURLToPath(new URL('../dist', import.meta.url))

/** What each built file holds, by its name. The build writes it, and it is not part of the package. */
const outputs = new Map(
  globSync('metafile-*.json', { cwd: dist }).flatMap((name) => {
    const metafile = JSON.parse(readFileSync(join(dist, name), 'utf8')) as { outputs: Record<string, Output> }
    return Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output] as const)
  }),
)

/** The names of all built files. */
export function builtFiles(): string[] {
  return [...outputs.keys()]
}

/** A built file: its size, the modules that it holds, as packages and files of ours too, and what it imports when it is loaded. */
export function builtFile(name: string) {
  const output = outputs.get(basename(name))
  if (!output) throw new Error(`${name} is not in dist/: npm run build`)
  const held = Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) =>
    bytesInOutput > 0 ? path : [],
  )
  return {
    bytes: output.bytes,
    modules: held,
    packages: unique(held.flatMap((path) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [])),
    ours: unique(held.flatMap((path) => /^src\/(.+)$/.exec(path)?.[1] ?? [])),
    imports: output.imports.flatMap(({ path, kind }) => (kind === 'import-statement' ? path : [])),
  }
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}

/** The names in the export statements of a built file, renamed or not. */
export function exportedBy(file: string): string[] {
  const text = readFileSync(join(dist, '..', file), 'utf8')
  const statements = text.matchAll(/(?:^|;)export\s*\{([^}]*)\}/gm)
  return [...statements].flatMap(([, list]) =>
    list!.split(',').map((name) => name.trim().split(/\s+/).at(-1)!),
  )
}
