/* `npm run advisories`: known advisories of what users get, the dependencies and the packages that are bundled into dist/. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

// `npm audit` knows what is installed: the bundled packages are installed in name only, in the versions of the bundle.
const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }
const bundled = [...read('dist/third-party-licenses.md').matchAll(/^## (\S+) (\d\S*)$/gm)]
const manifest = {
  private: true,
  dependencies: {
    ...dependencies,
    ...Object.fromEntries(bundled.map(([, name, version]) => [name!, version!])),
  },
}

const folder = mkdtempSync(join(tmpdir(), 'advisories-'))
try {
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  const npm = (...args: string[]) =>
    execFileSync('npm', args, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' })
  npm('install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund')
  npm('audit')
} catch {
  process.exitCode = 1 // npm has said why
} finally {
  rmSync(folder, { recursive: true })
}
