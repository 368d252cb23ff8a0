/*
 * Runs one of the examples with the package as it is in this clone: `npm run example react-apollo`. The copy is in a
 * temporary folder, and is deleted when the dev server ends.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyExample, exampleNames, packPackage } from './example-project.ts'

const [name, ...rest] = process.argv.slice(2)
if (!name || !exampleNames().includes(name)) {
  console.error(`Usage: npm run example NAME, where NAME is one of ${exampleNames().join(', ')}.`)
  process.exit(1)
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mock-api-example-')))
process.on('SIGINT', () => {}) // Ctrl-C ends the dev server; then the folder is deleted.
try {
  const project = copyExample(name, folder, await packPackage(folder))
  console.log(`The example is in ${project} until you stop it.`)
  if (run(project, 'install', '--no-audit', '--no-fund'))
    run(project, 'run', startScript(project), '--', ...rest)
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}

/** Tests have no dev server: they are run again with each change. */
function startScript(project: string): string {
  const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { scripts: object }
  return 'dev' in scripts ? 'dev' : 'watch'
}

function run(cwd: string, ...args: string[]): boolean {
  const { status } = spawnSync('npm', args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' })
  process.exitCode = status ?? 1
  return status === 0
}
