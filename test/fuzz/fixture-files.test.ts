/*
 * Any fixture file gives routes that answer, and diagnostics that say where and why others do not. A route with an error answers
 * 500 with its diagnostic, never with data. Nothing throws, and nothing takes long.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { validateHeaderName, validateHeaderValue } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Endpoint, RouteTable } from '../../src/core/table/route-table.ts'
import type { Route } from '../../src/core/fixture/route.ts'
import type { Diagnostic } from '../../src/core/diagnostics/diagnostic.ts'
import { defaultGraphQL } from '../../src/core/graphql/settings.ts'
import { matchEndpoint } from '../../src/core/table/match.ts'
import type { PreparedResponse } from '../../src/core/response/prepare-response.ts'
import { createModuleLoader } from '../../src/loader/module/load-module.ts'
import { readFixture, type ReadFixture } from '../../src/loader/read/read-fixture.ts'
import { askedOf, rawRequest } from '../core/send.ts'
import { corpus } from './fixture-corpus.ts'
import { dataText, moduleText, rawText } from './fixture-texts.ts'
import { patience, sampling } from '../sampling.ts'
import { decide } from '../../src/core/answer/decide.ts'
import { formatDiagnostic, splitLines } from '../../src/core/diagnostics/format.ts'
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

describe('any fixture file gives routes or diagnostics:', () => {
  it('a data file with a mistake', { timeout: patience }, () =>
    fc.assert(
      fc.asyncProperty(dataText, async ({ extension, text }) => void (await check(extension, text))),
      { ...sampling(6), endOnFailure: false },
    ),
  )

  it('any text', { timeout: patience }, () =>
    fc.assert(
      fc.asyncProperty(rawText, async ({ extension, text }) => void (await check(extension, text))),
      { ...sampling(6), endOnFailure: false },
    ),
  )

  it('a module', { timeout: patience }, async () => {
    // A module may do anything beside exporting its list.
    const ignore = () => {}
    process.on('unhandledRejection', ignore)
    try {
      await fc.assert(
        fc.asyncProperty(moduleText, async (text) => void (await check('ts', text))),
        { ...sampling(3), endOnFailure: false },
      )
      await new Promise((resolve) => setImmediate(resolve))
    } finally {
      process.off('unhandledRejection', ignore)
    }
  })

  it.each(corpus)('$name', async ({ extension, text, expected }) => {
    const { isFixture, routeCount, diagnostics } = await check(extension, text)
    expect(isFixture).toBe(expected !== 'not a fixture file' && expected !== 'empty')
    if (expected === 'empty') expect(diagnostics.map(({ code }) => code)).toEqual(['fixture-empty'])
    if (!isFixture) return
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
): Promise<{ isFixture: boolean; routeCount: number; diagnostics: Diagnostic[] }> {
  const path = join(root, `fixture.${extension}`)
  writeFileSync(path, text)
  const before = process.cpuUsage()
  const read = await readFixture({ root }, path, createModuleLoader(root, { timeLimit: 500 }))
  const { isFixture, routes, diagnostics } = read
  const { table, diagnostics: more } = compileRoutes(routes, { graphql: defaultGraphQL })
  const all = [...diagnostics, ...more]
  checkRoutes(read)
  const lines = splitLines(extension === 'ts' ? text.replaceAll(/[\u2028\u2029]/g, '\n') : text)
  const width = Math.max(...lines.map((line) => line.length))
  for (const diagnostic of all.slice(0, 300))
    checkDiagnostic(diagnostic, { extension, text, lines: lines.length, width })
  checkErrors(table, all)
  await ask(table)
  for (const route of sample(routes.filter(({ error }) => error))) await askBroken(route)
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(slow)
  return { isFixture, routeCount: table.routeCount, diagnostics: all }
}

/** Every error is of a route that is kept, or of routes that are said to be lost; neither is without an error. */
function checkRoutes({ isFixture, routes, diagnostics, hasLostRoutes }: ReadFixture): void {
  if (!isFixture) {
    const others = diagnostics.filter(({ code }) => code !== 'fixture-empty')
    expect([routes, others, hasLostRoutes]).toEqual([[], [], false])
  }
  const errors = diagnostics.filter(isError)
  const known = new Set(errors.map(({ code, pointer, message }) => `${code} ${pointer} ${message}`))
  const broken = routes.flatMap(({ error }) => error ?? [])
  for (const { code, pointer, message } of broken)
    expect(known.has(`${code} ${pointer} ${message}`), code).toBe(true)
  if (hasLostRoutes || broken.length > 0) expect(errors).not.toEqual([])
  if (errors.some(({ pointer }) => !isKeyOfFile(pointer)) && !hasLostRoutes) expect(broken).not.toEqual([])
}

/** An unknown key beside `routes` takes no route away. */
function isKeyOfFile(pointer = ''): boolean {
  return /^\/[^/]*$/.test(pointer) && !/^\/\d+$/.test(pointer)
}

const isError = ({ severity }: Diagnostic) => severity === 'error'

/** No route answers with data that has an error itself, whoever found it. */
function checkErrors(table: RouteTable, diagnostics: readonly Diagnostic[]): void {
  const withError = new Set<string>()
  for (const { pointer = '' } of diagnostics.filter(isError)) {
    const [route] = /^(?:\/routes)?\/\d+(?=\/|$)/.exec(pointer) ?? []
    if (route !== undefined) withError.add(route)
  }
  for (const { routes } of table.endpoints) {
    for (const { source, response } of routes) {
      if (withError.has((source as { pointer?: string }).pointer ?? '')) expect(response.kind).toBe('broken')
    }
  }
}

/** A route with an error answers whoever it is selected for: with its diagnostic, whatever was right in it. */
async function askBroken({ error, ...route }: Route): Promise<void> {
  const alone = { ...route, error, selector: undefined, isSelectorUnreadable: false }
  const { table } = compileRoutes([alone], { graphql: defaultGraphQL })
  const [{ method, path }] = table.endpoints as [Endpoint]
  const url = requestPath(path)
  const match = matchEndpoint(table, method, url, [''])
  if (!match) return // a pattern that this path does not fit
  const raw = rawRequest({ method, url, path: match.path, headers: { host: 'a' }, body: '{"query":"{a}"}' })
  const { by, response } = await decide(askedOf(match, raw), { kind: 'complete', bytes: raw.body })
  if (by !== 'route' || !response) throw new Error(`The broken route ${method} ${path} is ${by}.`)
  expect(response.status).toBe(500)
  expect(JSON.parse(Buffer.from(response.body).toString())).toMatchObject(
    match.endpoint.graphql
      ? { errors: [{ message: error!.message, extensions: { code: error!.code } }] }
      : { error: { message: error!.message, code: error!.code } },
  )
}

/** A path that a route's pattern takes, as far as this is simple. */
function requestPath(path: string): string {
  return encodeURI(path.replaceAll(/\*\*|[:*][^/]*/g, 'x').toWellFormed())
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
  return list.length > 20 ? [...list.slice(0, 10), ...list.slice(-10)] : list
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
        const askBackend = () => Promise.resolve({ kind: 'unknown' } as const)
        const asked = askedOf(match, raw, {}, askBackend)
        const { response } = await decide(asked, { kind: 'complete', bytes: raw.body })
        if (response) checkResponse(response, method)
      }
    }
  }
}

/** Whether `node:http` could send it. */
function checkResponse({ status, headers, body, delay }: PreparedResponse, method: string): void {
  expect(Number.isInteger(status) && status >= 200 && status <= 599, `status ${status}`).toBe(true)
  expect(typeof delay === 'number' ? delay : 0).toBeGreaterThanOrEqual(0)
  for (let i = 0; i < headers.length; i += 2) {
    validateHeaderName(headers[i]!)
    validateHeaderValue(headers[i]!, headers[i + 1]!)
    // A route for HEAD says what GET has.
    if (headers[i] === 'content-length' && method !== 'HEAD' && status !== 204 && status !== 304)
      expect(headers[i + 1]).toBe(String(body.length))
  }
  if (typeof body === 'string') expect(body).toMatch(/^[\0-\x7f]*$/)
}
