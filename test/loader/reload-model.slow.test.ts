/*
 * Random sequences of what can happen to the files of a project. Where the store ends is where a fresh load begins; only a
 * file with errors goes on to answer what it answered when it was last without.
 *
 * `RELOAD_RUNS=1000 npx vitest run -c vitest.slow.config.ts test/loader/reload-model` tries more of them.
 */
import { RawRequest } from '../../src/core/http/raw-request.ts'
import { cpSync, rmSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { RouteTable } from '../../src/core/table/route-table.ts'
import type { Diagnostic } from '../../src/core/diagnostics/diagnostic.ts'
import { ParsedRequest } from '../../src/core/request/parsed-request.ts'
import { bodyAsText } from '../../src/core/response/prepare-response.ts'
import { findFixtureFiles, fixturePlaces } from '../../src/loader/find-fixtures.ts'
import { displayPath } from '../../src/loader/paths.ts'
import type { FixtureStore } from '../../src/loader/fixture-store.ts'
import { createModuleLoader } from '../../src/loader/module/load-module.ts'
import { readFixture } from '../../src/loader/read/read-fixture.ts'
import { fleeting, initialFiles, operation, run, type Operation } from './model-operations.ts'
import { Project } from './project.ts'
import { formatPlace } from '../../src/core/diagnostics/format.ts'
import { compileRoutes } from '../../src/core/table/compile-routes.ts'

/** What each fixture file answers, as text. */
type Answers = ReadonlyMap<string, string>

interface Observation {
  /** `undefined` where a file has errors. */
  files: Map<string, string | undefined>
  findings: string[]
}

/** What each file may have answered when it was last without errors; of some it can't be known. */
type LastGood = Map<string, Set<string>>
const anything = '*'

const runs = process.env['RELOAD_RUNS']
const limit = runs === undefined ? 90_000 : 3_600_000

it(
  'after any sequence the store answers what a fresh load would, and broken files what they did last',
  { timeout: limit + 30_000 },
  async () => {
    const sequences = fc.array(operation, { minLength: 1, maxLength: 14 })
    await fc.assert(fc.asyncProperty(sequences, fc.boolean(), check), {
      numRuns: Number(runs ?? 150),
      endOnFailure: true,
      interruptAfterTimeLimit: limit,
      markInterruptAsFailure: false,
    })
  },
)

/** @param settle whether the store gets the time to see each operation for itself */
async function check(operations: readonly Operation[], settle: boolean): Promise<void> {
  const project = new Project(initialFiles)
  const good: LastGood = new Map()
  try {
    let now = await observe(project, good)
    const store = await project.watch()
    for (const operation of operations) {
      run(project, operation)
      now = await observe(project, good)
      if (fleeting.has(operation.kind)) for (const file of now.files.keys()) good.get(file)?.add(anything)
      if (settle) await reached(store, now, good)
    }
    await reached(store, now, good)
    await store.close()
  } finally {
    rmSync(project.root, { recursive: true, force: true })
  }
}

/** Reads the project as it is, in a copy: the modules of the original belong to the store. */
async function observe(project: Project, good: LastGood): Promise<Observation> {
  const root = `${project.root}-copy`
  cpSync(project.root, root, { recursive: true, verbatimSymlinks: true })
  const modules = createModuleLoader(root)
  const seen: Observation = { files: new Map(), findings: [] }
  for (const path of findFixtureFiles(root, fixturePlaces({ root, fixtures: ['fixtures'] }))) {
    const { routes, diagnostics } = await readFixture(root, path, modules)
    const file = displayPath(root, path)
    const { table } = compileRoutes(routes, project.options())
    const answers = answersOf(table).get(file) ?? ''
    seen.files.set(file, diagnostics.length > 0 ? undefined : answers)
    // Of a file that never was without errors, the good routes answer, and the others say what is wrong.
    good.set(file, new Set([...(good.get(file) ?? ['']), answers]))
    seen.findings.push(...diagnostics.map(describe))
  }
  rmSync(root, { recursive: true })
  return seen
}

/** Waits until the store answers what was observed. */
async function reached(store: FixtureStore, { files, findings }: Observation, good: LastGood): Promise<void> {
  const expected = () => {
    const shown = answersOf(store.current!.table)
    return [...files].map(([file, answers]) => {
      const candidates = good.get(file)!
      const own = shown.get(file) ?? ''
      const isAllowed = candidates.has(own) || candidates.has(anything)
      return [file, answers ?? (isAllowed ? own : [...candidates])]
    })
  }
  const actual = () => {
    const shown = answersOf(store.current!.table)
    return store.current!.files.map((file) => [file, shown.get(file) ?? ''])
  }
  await expect
    .poll(() => ({ expected: expected(), findings: store.current!.diagnostics.map(describe) }), {
      timeout: 30_000,
      interval: 5,
    })
    .toSatisfy((now: { expected: unknown; findings: string[] }) => {
      expect(actual()).toEqual(now.expected)
      expect(now.findings).toEqual(files.size > 0 ? findings : [])
      return true
    })
  const shown = answersOf(store.current!.table)
  good.clear()
  for (const file of files.keys()) good.set(file, new Set([shown.get(file) ?? '']))
}

function answersOf({ endpoints }: RouteTable): Answers {
  const answers = new Map<string, string>()
  for (const { method, path, routes } of endpoints) {
    for (const { answer, source } of routes) {
      const before = answers.get(source.file) ?? ''
      answers.set(source.file, `${before}${method} ${path} ${bodyOf(answer)}\n`)
    }
  }
  return answers
}

type Answer = RouteTable['endpoints'][number]['routes'][number]['answer']

function bodyOf(answer: Answer): string {
  if (answer.kind === 'static') return bodyAsText(answer.response.body)
  if (answer.kind !== 'paged') return answer.kind
  const raw = new RawRequest({ method: 'GET', url: '/', path: '/', search: '', headers: {} })
  const page = answer.list.pageFor(new ParsedRequest(raw, {}, undefined))
  return 'response' in page ? bodyAsText(page.response.body) : page.refused.reason
}

function describe(diagnostic: Diagnostic): string {
  return `${diagnostic.code} ${formatPlace(diagnostic)}`
}
