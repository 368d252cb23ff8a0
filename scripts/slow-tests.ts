/*
 * `npx jiti scripts/slow-tests.ts CONFIG [ARGUMENTS]` runs the tests of a config of Vitest, and each file that fails once more, alone.
 * What passes then is reported: it is a fault to mend. The exit code is 1 for what fails twice. What the registry of packages
 * does not deliver is reported, too, and is no failure of this project.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

interface JsonReport {
  testResults: {
    name: string
    status: string
    /** Of a file that could not be loaded. */
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] | null }[]
  }[]
}

interface Failure {
  file: string
  /** The names of the tests, with their first lines. */
  texts: string[]
  isOfRegistry: boolean
}

/** How npm and pnpm name what is not theirs or ours. */
const ofRegistry =
  /npm (?:error|ERR!) (?:code (?:E[45]\d\d|ETARGET|ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|EINTEGRITY)|network)|ERR_PNPM_(?:FETCH|META_FETCH|NO_MATCHING|NO_OFFLINE)/

const [config = '', ...rest] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'slow-tests-'))
const failed: Failure[] = []
const reported: string[] = []
try {
  for (const first of await runTests(rest)) {
    const [second] = first.isOfRegistry ? [first] : await runTests([first.file])
    if (!second) reported.push(`passed at the second try: ${describe(first)}`)
    else if (second.isOfRegistry) reported.push(`not delivered by the registry: ${describe(second)}`)
    else failed.push(second)
  }
} finally {
  rmSync(folder, { recursive: true })
}
for (const text of [...reported, ...failed.map((one) => `failed twice: ${describe(one)}`)]) console.log(text)
process.exitCode = failed.length > 0 ? 1 : 0

/** Returns what failed. */
async function runTests(args: readonly string[]): Promise<Failure[]> {
  const file = join(folder, 'report.json')
  rmSync(file, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const child = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--config', config, ...reporters, ...args],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
  const [code] = (await once(child, 'close')) as [number | null]
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as JsonReport
  const found = testResults.filter(({ status }) => status === 'failed').map(failureOf)
  // Also what Vitest finds besides tests, such as a rejection that nothing handles.
  if (code !== 0 && found.length === 0) throw new Error(`Vitest ended with ${code}, and no test has failed.`)
  return found
}

function failureOf({ name, message, assertionResults }: JsonReport['testResults'][number]): Failure {
  const tests = assertionResults.filter(({ status }) => status === 'failed')
  const messages = [message, ...tests.flatMap(({ failureMessages }) => failureMessages ?? [])].filter(Boolean)
  const texts = tests.map(
    ({ fullName, failureMessages }) => `${fullName}: ${firstLine(failureMessages?.[0])}`,
  )
  return {
    file: relative(process.cwd(), name),
    texts: texts.length > 0 ? texts : [firstLine(message)],
    isOfRegistry: messages.length > 0 && messages.every((text) => ofRegistry.test(text)),
  }
}

function firstLine(text = ''): string {
  return text.split('\n', 1)[0]!
}

function describe({ file, texts }: Failure): string {
  return [file, ...texts].join('\n  ')
}
