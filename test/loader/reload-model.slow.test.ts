/*
 * Random sequences of what can happen to the files of a project. Where the store ends is where a fresh load begins; only a
 * file with errors goes on to answer what it answered when it was last without.
 */
import { cpSync, rmSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import type { RouteResponse, RouteTable } from '../../src/core/table/route-table.ts'
import type { Diagnostic } from '../../src/core/diagnostics/diagnostic.ts'
import { ParsedRequest } from '../../src/core/request/parsed-request.ts'
import { bodyAsText } from '../../src/core/response/prepare-response.ts'
import { findFixtures } from '../../src/loader/find/find-fixtures.ts'
import { displayPath } from '../../src/files/paths.ts'
import { isFaulty } from '../../src/loader/fixture-entries.ts'
import type { FixtureStore } from '../../src/loader/fixture-store.ts'
import { createModuleLoader } from '../../src/loader/module/load-module.ts'
import { readFixture } from '../../src/loader/read/read-fixture.ts'
import { fleeting, initialFiles, operation, run, type Operation } from './model-operations.ts'
import { patience, sampling } from '../sampling.ts'
import { Project } from './project.ts'
import { formatPlace } from '../../src/core/diagnostics/format.ts'
import { compileRoutes } from '../../src/core/table/compile-routes.ts'

/** What each fixture file answers, as text. */
type Answers = ReadonlyMap<string, string>

/** What a fresh load reads from one file. */
interface FreshFile {
  isFixture: boolean
  answers: string
  hasErrors: boolean
  hasLostRoutes: boolean
  findings: string[]
}

/** A file that looks like no fixture is skipped, but it is read, and an error, if it has listed routes before. */
interface Observed {
  fresh: FreshFile
  again: FreshFile
}

type Observation = ReadonlyMap<string, Observed>

/** What the good routes of each file may have answered last: '' is none. Of some files it can't be known. */
type LastGood = Map<string, Set<string>>
const anything = '*'
const unknownFile: ReadonlySet<string> = new Set([''])

it(
  'after any sequence the store answers what a fresh load would, and broken files what they did last',
  { timeout: patience },
  async () => {
    const sequences = fc.array(operation, { minLength: 1, maxLength: 14 })
    await fc.assert(fc.asyncProperty(sequences, fc.boolean(), check), {
      ...sampling(150),
      endOnFailure: true,
    })
  },
)

/** @param settle whether the store gets the time to see each operation for itself */
async function check(operations: readonly Operation[], settle: boolean): Promise<void> {
  const project = new Project(initialFiles)
  const good: LastGood = new Map()
  try {
    let now = await observe(project)
    remember(good, now)
    const store = await project.watch()
    for (const operation of operations) {
      run(project, operation)
      now = await observe(project)
      remember(good, now)
      if (fleeting.has(operation.kind)) for (const last of good.values()) last.add(anything)
      if (settle) await reached(store, now, good)
    }
    await reached(store, now, good)
    await store.close()
  } finally {
    rmSync(project.root, { recursive: true, force: true })
  }
}

/** Reads the project as it is, in a copy: the modules of the original belong to the store. */
async function observe(project: Project): Promise<Observation> {
  const root = `${project.root}-copy`
  cpSync(project.root, root, { recursive: true, verbatimSymlinks: true })
  const modules = createModuleLoader(root)
  const seen = new Map<string, Observed>()
  for (const path of findFixtures({ root, fixtures: ['fixtures'] }).files) {
    const file = displayPath(root, path)
    const read = async (wasFixture: boolean): Promise<FreshFile> => {
      const { isFixture, routes, hasLostRoutes, diagnostics } = await readFixture(
        { root },
        path,
        modules,
        undefined,
        wasFixture,
      )
      const { table } = compileRoutes(routes, { ...project.options() })
      const answers = answersOf(table).get(file) ?? ''
      const findings = diagnostics.map(describe)
      // A file without routes is shown with its warning.
      const isShown = isFixture || diagnostics.length > 0
      return { isFixture: isShown, answers, hasErrors: isFaulty({ diagnostics }), hasLostRoutes, findings }
    }
    const fresh = await read(false)
    seen.set(file, { fresh, again: fresh.isFixture ? fresh : await read(true) })
  }
  rmSync(root, { recursive: true })
  return seen
}

/** Adds what the store may hold once it has seen this. It may not have seen what was there before. */
function remember(good: LastGood, now: Observation): void {
  for (const [file, last] of good) if (!now.has(file)) last.add('')
  for (const [file, observed] of now) {
    const last = good.get(file) ?? unknownFile
    good.set(file, new Set([...last, ...[...last].map((one) => onlyGood(answersAfter(one, observed)))]))
  }
}

/** What a file answers whose good routes answered `last`. Each file lists one route at most. */
function answersAfter(last: string, observed: Observed): string {
  const { answers, hasErrors, hasLostRoutes } = last === '' ? observed.fresh : observed.again
  if (!hasErrors) return answers
  if (last === anything) return anything
  const isKept = last !== '' && (hasLostRoutes || endpointOf(last) === endpointOf(answers))
  return isKept ? last : answers
}

function endpointOf(answers: string): string {
  return answers.split(' ', 2).join(' ')
}

function onlyGood(answers: string): string {
  return answers.endsWith(' broken\n') ? '' : answers
}

/** Waits until the store answers what was observed. */
async function reached(store: FixtureStore, now: Observation, good: LastGood): Promise<void> {
  const check = () => {
    const { table, files, diagnostics } = store.current!
    const shown = answersOf(table)
    const answered = [...shown].filter(([file]) => now.has(file) || good.has(file)) // without the templates
    const expected: { answers: Record<string, string | string[]>; findings: string[] } = {
      answers: {},
      findings: [],
    }
    for (const [file, observed] of now) {
      const last = good.get(file)!
      const { fresh, again } = observed
      const isListed = files.includes(file) || diagnostics.some((diagnostic) => diagnostic.file === file)
      if (!fresh.isFixture && !isListed && (last.has('') || last.has(anything))) continue
      const own = shown.get(file) ?? ''
      const allowed = [...last]
        .filter((one) => fresh.isFixture || one !== '')
        .map((one) => answersAfter(one, observed))
      // A route that was moved to another file answers there alone.
      const isMoved = own === '' && allowed.some((one) => isAnsweredBy(shown, file, one))
      const isAllowed = allowed.includes(own) || allowed.includes(anything) || isMoved
      if (own !== '' || !isAllowed) expected.answers[file] = isAllowed ? own : allowed
      expected.findings.push(...again.findings)
    }
    expect({
      answers: Object.fromEntries(answered),
      findings: diagnostics.filter(({ code }) => !saidOfFolder.has(code)).map(describe),
    }).toEqual(expected)
  }
  await vi.waitFor(check, { timeout: 30_000, interval: 5 })
  const shown = answersOf(store.current!.table)
  good.clear()
  for (const file of now.keys()) good.set(file, new Set([onlyGood(shown.get(file) ?? '')]))
}

function isAnsweredBy(shown: Answers, except: string, answers: string): boolean {
  return [...shown].some(([file, own]) => file !== except && endpointOf(own) === endpointOf(answers))
}

/** Which files are left out is seen from the files that are not. */
const saidOfFolder: ReadonlySet<Diagnostic['code']> = new Set([
  'fixture-without-routes',
  'fixtures-entry-missing',
  'fixtures-not-found',
])

function answersOf({ endpoints }: RouteTable): Answers {
  const answers = new Map<string, string>()
  for (const { method, path, routes } of endpoints) {
    for (const { response, source } of routes) {
      const before = answers.get(source.file) ?? ''
      answers.set(source.file, `${before}${method} ${path} ${bodyOf(response)}\n`)
    }
  }
  return answers
}

function bodyOf(response: RouteResponse): string {
  if (response.kind === 'static') return bodyAsText(response.prepared.body)
  if (response.kind !== 'paged') return response.kind
  const raw = { method: 'GET', url: '/', path: '/', search: '', headers: {} }
  const page = response.list.pageFor(new ParsedRequest(raw, {}, undefined))
  return 'response' in page ? bodyAsText(page.response.body) : page.refused.reason
}

function describe(diagnostic: Diagnostic): string {
  return `${diagnostic.code} ${formatPlace(diagnostic)}`
}
