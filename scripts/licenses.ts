/* Writes dist/third-party-licenses.md: the packages that are bundled into dist/, each with its license. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Manifest {
  name: string
  version: string
  license?: string
}

const root = fileURLToPath(new URL('..', import.meta.url))
interface Metafile {
  outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>
}

const metafiles = readdirSync(join(root, 'dist')).filter((name) => name.startsWith('metafile-'))
const bundled = metafiles.flatMap((name) => {
  const { outputs } = JSON.parse(readFileSync(join(root, 'dist', name), 'utf8')) as Metafile
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs))
  return inputs.flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? file : []))
})

const folders = bundled.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [])
const sections = [...new Set(folders)].map((folder) => {
  const { name, version, license } = JSON.parse(
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  ) as Manifest
  if (!license) throw new Error(`${name} names no license: it can't be bundled.`)
  return `## ${name} ${version}\n\nLicense: ${license}\n\n${licenseText(join(root, folder))}`
})

writeFileSync(
  join(root, 'dist/third-party-licenses.md'),
  `# Licenses of the bundled packages\n\n${[...new Set(sections)].toSorted().join('\n')}`,
)

function licenseText(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name) && existsSync(join(folder, name)))
  if (!file) return ''
  const text = readFileSync(join(folder, file), 'utf8').trim()
  return `${text.replace(/^/gm, '> ').replace(/ +$/gm, '')}\n`
}
