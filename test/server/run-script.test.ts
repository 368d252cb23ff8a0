/* Compiled code is kept for the next start, and is never needed. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createContext, runInContext, Script } from 'node:vm'
import { build } from 'esbuild'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { runScript, type ScriptSettings } from '../../src/server/run-script.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mock-api-script-'))
  writeFileSync(join(root, 'package.json'), '{}')
  mkdirSync(join(root, 'node_modules'))
  vi.spyOn(process, 'cwd').mockReturnValue(root)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true, force: true })
})

const folder = () => join(root, 'node_modules/.cache/unplugin-mock-api')
const saved = () => (existsSync(folder()) ? readdirSync(folder()) : [])

/** V8 can't tell scripts of the same length apart. So the number says whose code has run. */
const script = (number: number) => `(function (add) { return { sum: ${number} + add } })`
const settings = { name: 'file:///script.js', hash: 'hash' }
const run = (number: number, others: Partial<ScriptSettings> = {}) =>
  runScript(script(number), { ...settings, ...others })(10).sum

/** Runs the script with the number 1, and waits until its code is saved. */
async function save(): Promise<string> {
  expect(run(1, { saveAfter: 0 })).toBe(11)
  await vi.waitFor(() => expect(saved()).toEqual([expect.stringMatching(/^code-hash-v[\d.]+(?:-\w+){3}$/)]), {
    timeout: 30_000,
  })
  return join(folder(), saved()[0]!)
}

it('runs the code of an earlier start', async () => {
  await save()
  expect(run(2)).toBe(11)
})

it.each<[string, (path: string) => void]>([
  ['missing', (path) => rmSync(path)],
  ['empty', (path) => writeFileSync(path, '')],
  ['damaged', (path) => writeFileSync(path, withChangedByte(path, -20))],
  ['shorter', (path) => writeFileSync(path, readFileSync(path).subarray(0, -8))],
  ['a folder', (path) => (rmSync(path), mkdirSync(path))],
])('compiles the script if the file is %s', async (_, change) => {
  change(await save())
  expect(run(2)).toBe(12)
})

function withChangedByte(path: string, at: number): Buffer {
  const content = readFileSync(path)
  content[content.length + at]! ^= 1
  return content
}

it('compiles the script if V8 refuses the code, and saves its own', async () => {
  await save()
  const path = join(folder(), saved()[0]!)
  const before = readFileSync(path)
  expect(runScript(` ${script(2)}`, { ...settings, saveAfter: 0 })(10)).toEqual({ sum: 12 })
  await vi.waitFor(() => expect(readFileSync(path).equals(before)).toBe(false), { timeout: 30_000 })
})

it('compiles another script', async () => {
  await save()
  expect(run(2, { hash: 'other' })).toBe(12)
})

it('compiles the script if the working directory is gone', async () => {
  await save()
  vi.spyOn(process, 'cwd').mockImplementation(() => {
    throw new Error('ENOENT: uv_cwd')
  })
  expect(run(2)).toBe(12)
})

it('keeps nothing with NODE_DISABLE_COMPILE_CACHE', async () => {
  await save()
  vi.stubEnv('NODE_DISABLE_COMPILE_CACHE', '1')
  expect(run(2)).toBe(12)
})

it('keeps nothing in a project without node_modules', async () => {
  rmSync(join(root, 'node_modules'), { recursive: true })
  const made = vi.spyOn(Script.prototype, 'createCachedData')
  expect(run(1, { saveAfter: 0 })).toBe(11)
  await new Promise((resolve) => setTimeout(resolve)) // comes after the timers of `run`
  expect(made).not.toHaveBeenCalled()
})

it('has the global objects of the module that asks, in a test runner that has its own', async () => {
  const { outputFiles } = await build({
    entryPoints: ['src/server/run-script.ts'],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
  })
  const module = { exports: {} as { runScript: typeof runScript } }
  const require = createRequire(import.meta.url)
  const context = createContext({ module, require, process, Buffer })
  runInContext(outputFiles[0]!.text, context)
  const own = module.exports.runScript('(function () { return { list: [] } })', settings)
  expect(own().list).toBeInstanceOf(runInContext('Array', context))
})
