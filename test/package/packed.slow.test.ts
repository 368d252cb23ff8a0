/* The files that npm packs, and the names of the types in them. Needs `npm run build`, with the declaration files. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { exportedBy } from '../built-file.ts'

const packageRoot = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

/** In Markdown and in HTML, relative to the package; without those to other sites and to headings of the page. */
function linksOf(page: string): [page: string, target: string][] {
  const text = readFileSync(`${packageRoot}/${page}`, 'utf8')
    .replaceAll(/^ *```[^]*?^ *```$/gm, '')
    .replaceAll(/`[^`\n]*`/g, '')
  const links = text.matchAll(
    /\]\(([^)#:\s]+)(?:#[^)]*)?\)|^\[[^\]]+\]: ([^#:\s]+)(?:#\S*)?$|\bsrc(?:set)?="([^":]+)"/gm,
  )
  return [...links].map(([, ...found]) => [
    page,
    posix.join(
      posix.dirname(page),
      found.find((one) => one !== undefined)!,
    ),
  ])
}

it('the entries export the types that types.txt lists', async () => {
  const { exports } = JSON.parse(readFileSync(`${packageRoot}/package.json`, 'utf8')) as {
    exports: Record<string, string | { import: { types: string; default: string } }>
  }
  // The types of a CommonJS plugin are `export =`, and are compiled by types.slow.test.ts.
  const lines = Object.entries(exports).flatMap(([path, target]) => {
    if (typeof target === 'string') return []
    const values = exportedBy(target.import.default.replace('.cjs', '.js'))
    const types = exportedBy(target.import.types).filter((type) => !values.includes(type))
    return `${path.replace('.', 'unplugin-mock-api')}: ${types.toSorted().join(', ')}`.trimEnd()
  })
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('types.txt')
})

describe('the npm package', () => {
  type Pack = { size: number; unpackedSize: number; files: { path: string }[] }
  let pack: Pack
  beforeAll(async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: packageRoot,
      shell: process.platform === 'win32',
    })
    ;[pack] = JSON.parse(stdout) as [Pack]
  })

  const isOfExample = (path: string) => /^examples\/.+\//.test(path)
  // Chunks are named by what they hold.
  const isChunk = (path: string) => /^dist\/[\w-]+-[A-Z\d]{8}\.c?js$|-[\w-]{8}\.d\.c?ts$/.test(path)

  it('has the files that test/package/files.txt lists, chunks, and examples', async () => {
    const paths = pack.files.map(({ path }) => path).filter((path) => !isChunk(path) && !isOfExample(path))
    await expect(`${paths.toSorted().join('\n')}\n`).toMatchFileSnapshot('files.txt')
  })

  it('has every file that its pages link to, and every picture that they show', () => {
    const paths = new Set(pack.files.map(({ path }) => path))
    const links = [...paths].filter((path) => path.endsWith('.md')).flatMap(linksOf)
    expect(links).toContainEqual(['README.md', 'docs/miss.png'])
    expect(links.filter(([, target]) => !paths.has(target))).toEqual([])
  })

  it('is at most 2.35 MB, and 8 MB unpacked', () => {
    expect(pack.size).toBeLessThan(2_350_000)
    expect(pack.unpackedSize).toBeLessThan(8_000_000) // 2.6 for CommonJS; 0.2 for `check --against`, for what fixtures import, and for `explore`
  })
})
