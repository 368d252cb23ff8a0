import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { packageRoot, pack } from '../installed/install.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of the packed package. Tests get it with `inject('tarball')`. */
    tarball: string
  }
}

/** Packs what `npm run build` has made, once for all tests of projects that install it. */
export default async function setup({ provide }: TestProject): Promise<() => void> {
  if (!existsSync(join(packageRoot, 'dist/vite.d.ts')))
    throw new Error('There is no dist. Run `npm run build`.')
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'packed-')))
  provide('tarball', await pack(folder))
  return () => rmSync(folder, { recursive: true })
}
