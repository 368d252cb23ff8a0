/* The workflows of CI and of releases fit package.json, and can't fall behind .ci/run. */
import { readFileSync } from 'node:fs'
import { expect, describe, it } from 'vitest'
import { parse } from 'yaml'
import { addressProblems, releaseProblems, type Manifest } from '../../scripts/release-problems.ts'

interface Job {
  permissions?: Record<string, string>
  strategy?: { matrix: Record<string, (string | number)[]> }
  steps: { run?: string; uses?: string; env?: Record<string, string> }[]
}
interface Workflow {
  permissions: Record<string, string>
  jobs: Record<string, Job>
}

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const manifest = JSON.parse(read('package.json')) as Manifest & {
  scripts: Record<string, string>
  engines: { node: string }
}
const ci = parse(read('.github/workflows/ci.yml')) as Workflow
const release = parse(read('.github/workflows/release.yml')) as Workflow

/** What the jobs run, with the values of the matrix in place. */
function commandsOf({ jobs }: Workflow): string[] {
  return Object.values(jobs).flatMap(({ steps, strategy }) =>
    steps.flatMap(({ run }) => {
      if (run === undefined) return []
      const [expression, name] = /\$\{\{ matrix\.(\w+) \}\}/.exec(run) ?? []
      if (expression === undefined) return [run]
      return strategy!.matrix[name!]!.map((value) => run.replace(expression, String(value)))
    }),
  )
}
const scriptOf = (command: string) => /^npm (?:run (?:--silent )?)?([\w:]+)/.exec(command)?.[1]

describe.each([
  ['ci.yml', ci],
  ['release.yml', release],
])('%s', (_, workflow) => {
  it('runs scripts that exist', () => {
    const scripts = commandsOf(workflow).map(scriptOf)
    const known = [...Object.keys(manifest.scripts), 'ci', 'publish']
    expect(scripts.filter((script) => !known.includes(script!))).toEqual([])
    expect(scripts.length).toBeGreaterThan(3)
  })

  it('may only read, unless a job needs more', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
  })
})

it('ci.yml runs what .ci/run runs', () => {
  const commands = read('.ci/run').matchAll(/^npm .+?(?= 2?>| #|$)/gm)
  const ran = [...commands].map(([command]) => command)
  expect(ran.length).toBeGreaterThan(4)
  expect(commandsOf(ci)).toEqual(expect.arrayContaining(ran))
})

it('ci.yml looks known advisories up, every week too', () => {
  expect(commandsOf(ci)).toContain('npm run advisories')
  expect(read('.github/workflows/ci.yml')).toMatch(/^ {2}schedule:\n/m)
})

it('ci.yml tests the Node versions of `engines`, on three systems', () => {
  const { os, node } = ci.jobs['test']!.strategy!.matrix
  expect(os).toEqual(['ubuntu-latest', 'windows-latest', 'macos-latest'])
  expect(node).toEqual([20, 22, 24, 26])
  expect(manifest.engines.node).toBe('^20.19.0 || >=22.12.0')
})

describe('a release', () => {
  const { permissions, steps } = release.jobs['publish']!
  const commands = steps.map(({ run }) => run)

  it('is published with provenance, which needs the identity of the workflow', () => {
    expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true })
    expect(permissions).toEqual({ contents: 'read', 'id-token': 'write' })
  })

  it('is checked and tested before it is published, without a token', () => {
    expect(commands.slice(2)).toEqual([
      'npm ci',
      'npm run release -- check "$GITHUB_REF_NAME"',
      'npm test',
      'npm run check:package',
      'npm publish',
    ])
    expect(read('.github/workflows/release.yml')).not.toContain('secrets.')
  })

  it('has a section in CHANGELOG.md', () => {
    const addressed = { ...manifest, repository: 'an address' }
    expect(releaseProblems(addressed, read('CHANGELOG.md'), `v${manifest.version}`)).toEqual([])
  })

  it('waits for `repository`, which CONTRIBUTING.md lists before the first release', () => {
    expect(addressProblems(manifest)).toHaveLength(manifest.repository ? 0 : 1)
    if (!manifest.repository) expect(read('CONTRIBUTING.md')).toMatch(/^### Before the first release/m)
  })
})

it.each([
  ['another tag', { version: '1.2.3' }, '## 1.2.3', 'v1.2.4', 'The tag v1.2.4 is not v1.2.3'],
  ['no tag', { version: '1.2.3' }, '## 1.2.3', '', 'The tag  is not v1.2.3'],
  ['no section', { version: '1.2.3' }, '## 1.2.30', 'v1.2.3', 'CHANGELOG.md has no section "## 1.2.3"'],
  [
    'provenance without an address',
    { version: '1.2.3', publishConfig: { provenance: true } },
    '# a\r\n\r\n## 1.2.3\r\n',
    'v1.2.3',
    'add "repository" to package.json',
  ],
])('%s is a problem of a release', (_, manifest: Manifest, changelog, tag, expected) => {
  expect(releaseProblems(manifest, changelog, tag)).toEqual([expect.stringContaining(expected)])
})
