/*
 * Any fixture file gives routes that answer, or diagnostics that say where and why. Nothing throws, and nothing takes long.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { validateHeaderName, validateHeaderValue } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { RouteTable } from '../../src/core/table/route-table.ts'
import type { Diagnostic } from '../../src/core/diagnostics/diagnostic.ts'
import { defaultGraphQL } from '../../src/core/graphql/settings.ts'
import { matchEndpoint } from '../../src/core/table/match.ts'
import type { PreparedResponse } from '../../src/core/response/prepare-response.ts'
import { createModuleLoader } from '../../src/loader/module/load-module.ts'
import { readFixture } from '../../src/loader/read/read-fixture.ts'
import { rawRequest } from '../core/send.ts'
import { corpus } from './fixture-corpus.ts'
import { dataText, moduleText, rawText } from './fixture-texts.ts'
import { patience, sampling } from './runs.ts'
import { handle } from '../../src/core/answer/handle.ts'
import { formatDiagnostic } from '../../src/core/diagnostics/format.ts'
import { splitLines } from '../../src/core/diagnostics/format.ts'
import { compileRoutes } from '../../src/core/table/compile-routes.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'mock-api-')))

beforeAll(() => {
  vi.stubEnv('JITI_FS_CACHE', 'false')
  mkdirSync(join(root, 'out'))
  for (const [name, text] of [
    ['body.txt', 'text'],
    ['items.json', '[1, 2]'],
    ['helper.ts', 'export const helper = 1'],
    ['list.ts', 'export default []'],
  ] as const)
    writeFileSync(join(root, name), text)
  symlinkSync('loop.txt', join(root, 'loop.txt'))
  symlinkSync(tmpdir(), join(root, 'out.txt'))
  if (process.platform !== 'win32') execFileSync('mkfifo', [join(root, 'pipe')])
})

afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true })
})

describe('gives routes or diagnostics:', () => {
  it('a data file with a mistake', { timeout: patience }, () =>
    fc.assert(
      fc.asyncProperty(dataText, async ({ extension, text }) => void (await check(extension, text))),
      { ...sampling(700), endOnFailure: false },
    ),
  )

  it('any text', { timeout: patience }, () =>
    fc.assert(
      fc.asyncProperty(rawText, async ({ extension, text }) => void (await check(extension, text))),
      { ...sampling(400), endOnFailure: false },
    ),
  )

  it('a module', { timeout: patience }, async () => {
    // A module may do anything beside exporting its list.
    const ignore = () => {}
    process.on('unhandledRejection', ignore)
    try {
      await fc.assert(
        fc.asyncProperty(moduleText, async (text) => void (await check('ts', text))),
        { ...sampling(150), endOnFailure: false },
      )
      await new Promise((resolve) => setImmediate(resolve))
    } finally {
      process.off('unhandledRejection', ignore)
    }
  })

  it.each(corpus)('$name', async ({ extension, text, expected }) => {
    const { routeCount, diagnostics } = await check(extension, text)
    if (typeof expected === 'number') expect([routeCount, diagnostics]).toEqual([expected, []])
    else {
      const [first] = diagnostics
      expect(`${first?.code} ${first?.line ?? ''}:${first?.column ?? ''} ${first?.message}`).toMatch(expected)
    }
  })
})

/** Milliseconds of processor time that one file may take; nearly all take less than five. */
const slow = 10_000

async function check(
  extension: string,
  text: string,
): Promise<{ routeCount: number; diagnostics: Diagnostic[] }> {
  const path = join(root, `fixture.${extension}`)
  writeFileSync(path, text)
  const before = process.cpuUsage()
  const { routes, diagnostics } = await readFixture(root, path, createModuleLoader(root, { timeLimit: 500 }))
  const { table, diagnostics: more } = compileRoutes(routes, { graphql: defaultGraphQL })
  const all = [...diagnostics, ...more]
  if (diagnostics.some(({ severity }) => severity === 'error')) expect(routes).toEqual([])
  const lines = splitLines(extension === 'ts' ? text.replaceAll(/[\u2028\u2029]/g, '\n') : text)
  const width = Math.max(...lines.map((line) => line.length))
  for (const diagnostic of all.slice(0, 300))
    checkDiagnostic(diagnostic, { extension, text, lines: lines.length, width })
  await ask(table)
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(slow)
  return { routeCount: table.routeCount, diagnostics: all }
}

/** Texts in a message that would come from our own mistake. */
const ourMistake = /call stack|Cannot read propert|is not a function|is not iterable|\bundefined\b|\[object /

interface Written {
  extension: string
  text: string
  lines: number
  /** Characters of the longest line. */
  width: number
}

function checkDiagnostic(diagnostic: Diagnostic, { extension, text, lines, width }: Written): void {
  const { message, fix, line, column = 1, file, pointer } = diagnostic
  expect(message.length * fix.length).toBeGreaterThan(0)
  // A module may throw such messages.
  if (extension !== 'ts' && !ourMistake.test(text)) expect(message).not.toMatch(ourMistake)
  if (file === `fixture.${extension}` && line !== undefined) {
    expect(line >= 1 && line <= lines && column >= 1 && column <= width + 2, `at ${line}:${column}`).toBe(
      true,
    )
  }
  if (pointer !== undefined) expect(pointer).toMatch(/^(?:\/(?:[^~/]|~[01])*)*$/)
  formatDiagnostic(diagnostic)
}

const searches = ['', 'page=2', 'page=x&limit=1', '__proto__=1&constructor=2&a=%zz&0=1']
const bodies = [
  undefined,
  '{"a":{"b":1},"__proto__":1}',
  '{"query":"query A { a }","operationName":"A"}',
  '[{}]',
  'x',
]

/** The first endpoints and the last: those between were written by the same loop. */
function sample<T>(list: readonly T[]): readonly T[] {
  return list.length > 100 ? [...list.slice(0, 50), ...list.slice(-50)] : list
}

async function ask(table: RouteTable): Promise<void> {
  for (const { method, path } of sample(table.endpoints)) {
    for (const target of [path, path.replaceAll(/\*\*|[:*][^/]*/g, 'x'), `${path}/`]) {
      for (const [index, body] of bodies.entries()) {
        const search = searches[index % searches.length]!
        const url = encodeURI(target.toWellFormed()) + (search && `?${search}`)
        const match = matchEndpoint(table, method, url, [''])
        if (!match) continue
        const headers = { 'content-type': 'application/json', cookie: '__proto__=1; a=%', host: 'a' }
        const raw = rawRequest({ method, url, path: match.path, search: match.search, headers, body })
        const outcome = await handle(match, raw)
        if (outcome.kind !== 'passthrough')
          checkResponse(outcome.kind === 'answered' ? outcome.response : outcome.explain().response)
      }
    }
  }
}

/** Whether `node:http` could send it. */
function checkResponse({ status, headers, body, delay }: PreparedResponse): void {
  expect(Number.isInteger(status) && status >= 200 && status <= 599, `status ${status}`).toBe(true)
  expect(typeof delay === 'number' ? delay : 0).toBeGreaterThanOrEqual(0)
  for (let i = 0; i < headers.length; i += 2) {
    validateHeaderName(headers[i]!)
    validateHeaderValue(headers[i]!, headers[i + 1]!)
    if (headers[i] === 'content-length' && status !== 204 && status !== 304)
      expect(headers[i + 1]).toBe(String(body.length))
  }
  if (typeof body === 'string') expect(body).toMatch(/^[\0-\x7f]*$/)
}
