/* The files that npm packs, and the names of the types in them. Needs `npm run build`, with the declaration files. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { exportedBy } from '../built-file.ts'

const packageRoot = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

it('the entries export the types that types.txt lists', async () => {
  const { exports } = JSON.parse(readFileSync(`${packageRoot}/package.json`, 'utf8')) as {
    exports: Record<string, string | { import: { types: string; default: string } }>
  }
  // The types of a CommonJS plugin are `export =`, and are compiled by types.slow.test.ts.
  const lines = Object.entries(exports).flatMap(([path, target]) => {
    if (typeof target === 'string') return []
    const values = exportedBy(target.import.default)
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

  // Chunks are named by what they hold.
  const isChunk = (path: string) => /^dist\/[\w-]+-[A-Z\d]{8}\.js$|-[\w-]{8}\.d\.c?ts$/.test(path)

  it('has the files that test/package/files.txt lists, and chunks', async () => {
    const paths = pack.files.map(({ path }) => path).filter((path) => !isChunk(path))
    await expect(`${paths.toSorted().join('\n')}\n`).toMatchFileSnapshot('files.txt')
  })

  it('has the pages that README.md links to', () => {
    const text = readFileSync(`${packageRoot}/README.md`, 'utf8')
    // The pictures are a tenth of the package, and npm shows those of the repository.
    const links = [...text.matchAll(/\]\(([^)#:\s]+\.md)(?:#[^)]*)?\)/g)].map(([, target]) => target!)
    expect(links).toContain('docs/inspector.md')
    const paths = pack.files.map(({ path }) => path)
    expect(links.filter((link) => !paths.includes(link))).toEqual([])
  })

  it('is at most 1.1 MB, and 4.2 MB unpacked', () => {
    expect(pack.size).toBeLessThan(1_100_000)
    expect(pack.unpackedSize).toBeLessThan(4_200_000)
  })
})
