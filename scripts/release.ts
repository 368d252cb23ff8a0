/*
 * `npm run release` makes a release of the changesets in `.changeset`: it writes the version and CHANGELOG.md, commits, and
 * tags the commit. The workflow release.yml publishes it when the tag is pushed.
 *
 * `npm run release -- --dry-run` does the same in a temporary copy, and shows the commit.
 * `npm run release -- check v1.2.3` only says whether that tag can be published.
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { addressProblems, releaseProblems, type Manifest } from './release-problems.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const [argument, tag = ''] = process.argv.slice(2)

try {
  if (argument === 'check') assertPublishable(root, tag)
  else if (argument === '--dry-run') showRelease()
  else if (argument === undefined) release()
  else throw new Error(`Unknown argument ${argument}. Known: --dry-run, check TAG.`)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}

function assertPublishable(folder: string, tag: string): void {
  const problems = releaseProblems(
    manifestOf(folder),
    readFileSync(join(folder, 'CHANGELOG.md'), 'utf8'),
    tag,
  )
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

function release(): void {
  const problems = addressProblems(manifestOf(root))
  if (problems.length > 0) throw new Error(problems.join('\n'))
  console.log(`${makeRelease(root)} is tagged. Publish it: git push --follow-tags`)
}

/** The tag of the new commit. Without changesets, that of the version in package.json, if it has none yet. */
function makeRelease(folder: string): string {
  const git = (...args: string[]) => output(folder, 'git', args)
  if (git('status', '--porcelain') !== '')
    throw new Error('Commit your changes first: a release is a commit of its own.')
  const changesets = readdirSync(join(folder, '.changeset')).filter((name) => name.endsWith('.md'))
  if (changesets.length > 0 && Number.parseInt(process.versions.node) < 22)
    throw new Error('Changesets runs on Node 22.11 and later: use one of them for a release.')
  if (changesets.length > 0) npm(folder, 'run', 'changeset', '--', 'version')
  const { version } = manifestOf(folder)
  const tag = `v${version}`
  if (git('tag', '--list', tag) !== '')
    throw new Error(`${tag} is released, and there is no changeset since. Add one with "npm run changeset".`)
  if (changesets.length > 0) {
    npm(folder, 'install', '--package-lock-only', '--ignore-scripts')
    git('add', '--all')
    git('commit', '--message', `Release ${version}`)
  }
  git('tag', '--annotate', tag, '--message', tag)
  return tag
}

function showRelease(): void {
  const copy = mkdtempSync(join(tmpdir(), 'release-'))
  try {
    output(root, 'git', ['clone', '--quiet', '.', copy])
    // For prettier, which formats the changelog. A link is not the folder that .gitignore names.
    appendFileSync(join(copy, '.git/info/exclude'), '/node_modules\n')
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
    const tag = makeRelease(copy)
    console.log(output(copy, 'git', ['show', '--stat', '--patch', tag, '--', 'CHANGELOG.md', 'package.json']))
    const problems = releaseProblems(manifestOf(copy), readFileSync(join(copy, 'CHANGELOG.md'), 'utf8'), tag)
    console.log([`${tag}: nothing was changed here.`, ...problems].join('\n'))
  } finally {
    rmSync(copy, { recursive: true })
  }
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

function npm(folder: string, ...args: string[]): void {
  execFileSync('npm', args, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' })
}

function output(folder: string, command: string, args: string[]): string {
  return execFileSync(command, args, { cwd: folder, encoding: 'utf8' }).trim()
}
