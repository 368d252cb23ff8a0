import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const fromRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/* All kinds, and many more requests: `npm run hostile`. Before caches were bounded by size this was 700 MiB. */
it('the heap does not grow with 150 large documents of each kind', async () => {
  const script = [fromRoot('node_modules/jiti/lib/jiti-cli.mjs'), fromRoot('test/hostile/memory.ts')]
  const options = ['--dist', fromRoot('dist'), '--requests', '150', '--only', 'documents']
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', ...script, ...options])
  const growth = [...stdout.matchAll(/(-?[\d.]+) MiB {2}(.+)/g)].map(([, mib, what]) => [what, Number(mib)])
  expect(growth.length).toBeGreaterThan(3)
  expect(growth.filter(([, mib]) => (mib as number) > 32)).toEqual([])
})
