/**
 * Runs all benchmarks, or with `--only http,scale` only some, and writes their sections of RESULTS.md. `--quick` runs fewer
 * rounds, `--alone` only what a request costs on `node:http`, without the peers; these two write nothing.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { pinSelf } from './lib/processes.mjs'
import { removeProjects } from './lib/project.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const sections = [
  'http',
  'graphql',
  'calls',
  'scale',
  'start',
  'edits',
  'inspector',
  'collections',
  'contract',
]
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    alone: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})
const chosen = values.alone ? ['http'] : (values.only?.split(',') ?? sections)
const unknown = chosen.find((name) => !sections.includes(name))
if (unknown !== undefined) throw new Error(`No section "${unknown}". There are: ${sections.join(', ')}`)

prepare()
process.once('exit', removeProjects)
process.chdir(here)
const { report } = await import('./lib/report.mjs')
const pinned = pinSelf()
const measured = []
for (const name of chosen) {
  const section = await import(`./${name}.mjs`)
  const start = Date.now()
  const tables = await section[name]({ quick: values.quick, alone: values.alone, log: progress })
  measured.push({ name, tables, minutes: ((Date.now() - start) / 60_000).toFixed(1) })
}
await report(measured, { order: sections, pinned, write: !values.quick && !values.alone })

/** Installs the peers, links the package, and builds it. */
function prepare() {
  const run = (command, cwd) => execFileSync('npm', command, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  if (values.alone) mkdirSync(join(here, 'node_modules'), { recursive: true })
  else if (!isInstalled()) {
    progress('Installing the peers')
    run(['ci'], here)
  }
  // A link, not a dependency: npm would put a copy of the package's own manifest into the lock file.
  const link = join(here, 'node_modules/unplugin-mock-api')
  if (!lstatSync(link, { throwIfNoEntry: false })) symlinkSync('../..', link, 'junction')
  if (readlinkSync(link) !== '../..') progress(`Measuring the package in ${readlinkSync(link)}`)
  progress('Building the package')
  run(['exec', '--', 'tsup', '--no-dts', '--no-clean', '--silent'], dirname(here))
}

function isInstalled() {
  const { dependencies } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
  return Object.entries(dependencies).every(([name, version]) => {
    const manifest = join(here, 'node_modules', name, 'package.json')
    return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version
  })
}

function progress(line) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`)
}
