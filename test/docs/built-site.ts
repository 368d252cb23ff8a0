import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageRoot } from './pages.ts'

/** The site of the docs (`npm run docs:build`), below a base path. Needs `npm run build`. */
export async function buildSite(folder: string, base = '/'): Promise<void> {
  const vitepress = join(packageRoot, 'node_modules/vitepress/bin/vitepress.js')
  await promisify(execFile)(process.execPath, [vitepress, 'build', 'docs', '--outDir', folder], {
    cwd: packageRoot,
    // Vitest's own NODE_ENV would build the site for development.
    env: { ...process.env, NODE_ENV: 'production', DOCS_BASE: base },
  })
}
