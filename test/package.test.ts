/* The built package, as seen by a project that has installed it. Needs `npm run build`, which `npm test` runs first. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { builtFile, builtFiles, exportedBy } from './built-file.ts'

const packageRoot = fileURLToPath(new URL('..', import.meta.url))
const require = createRequire(import.meta.url)
const run = promisify(execFile)

interface Manifest {
  exports: Record<string, string | Record<'import' | 'require', { types: string; default: string }>>
}
const { exports } = JSON.parse(readFileSync(`${packageRoot}/package.json`, 'utf8')) as Manifest

const plugins = ['vite', 'webpack', 'rspack', 'rsbuild']

describe('the entries', () => {
  interface Entry {
    imported: string[]
    required: string[]
    /** Whether `require` gives the function that is also its default export, and what that function returns. */
    isFunction: boolean
    made?: string
  }
  const names = Object.keys(exports).map((path) => path.replace('.', 'unplugin-mock-api'))
  /** These run in their runner alone, so their names are read from the files. */
  const setupFiles = ['vitest', 'jest', 'node-test'].map((name) => `unplugin-mock-api/${name}`)
  const loaded = names.filter(
    (name, index) => typeof Object.values(exports)[index] === 'object' && !setupFiles.includes(name),
  )
  let entries: Record<string, Entry>
  beforeAll(async () => {
    // One process for all entries, since each process takes as long as all tests here.
    const code = `
      const require = (await import('node:module')).createRequire(process.cwd() + '/')
      const entries = {}
      for (const entry of ${JSON.stringify(loaded)}) {
        const module = require(entry)
        const isFunction = typeof module === 'function' && module === module.default && module === module.mockApi
        const made = isFunction && [module()].flat()[0]
        entries[entry] = {
          imported: Object.keys(await import(entry)),
          required: Object.keys(module),
          isFunction,
          made: made && (made.name ?? typeof made.apply),
        }
      }
      console.log(JSON.stringify(entries))`
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: packageRoot })
    entries = JSON.parse(stdout) as typeof entries
  })

  function describeEntry(name: string, index: number): string {
    const target = Object.values(exports)[index]!
    if (typeof target === 'string') return `${name}\n  file      ${target}`
    const { imported, required } = entries[name] ?? {
      imported: exportedBy(target.import.default.replace('.cjs', '.js')),
      required: exportedBy(target.import.default.replace('.cjs', '.js')),
    }
    const isName = (key: string) => key !== '__esModule' && key !== 'module.exports'
    const rows = { import: imported.filter(isName), require: required.filter(isName) }
    return [
      name,
      ...Object.entries(rows).map(([row, keys]) => `  ${row.padEnd(8)}  ${keys.toSorted().join(', ')}`),
    ].join('\n')
  }

  it('export what test/package/exports.txt lists', async () => {
    const list = names.map(describeEntry).join('\n\n')
    await expect(`${list}\n`).toMatchFileSnapshot('package/exports.txt')
  })

  it.each(plugins)('require of unplugin-mock-api/%s gives the plugin function itself', (name) => {
    const { isFunction, made } = entries[`unplugin-mock-api/${name}`]!
    expect(isFunction).toBe(true)
    expect(['unplugin-mock-api', 'function']).toContain(made)
  })
})

it('what was required and what was imported know of each other', async () => {
  const root = await mkdtemp(join(tmpdir(), 'mock-api-package-'))
  onTestFinished(() => rm(root, { recursive: true }))
  for (const name of ['required', 'imported']) {
    const routes = [{ url: `https://${name}.example/x`, response: { body: name } }]
    await writeFile(join(root, `${name}.json`), JSON.stringify(routes))
  }
  const code = `
    import { createMiddleware } from 'unplugin-mock-api/connect'
    import { MockApiError } from 'unplugin-mock-api'
    import { createRequire } from 'node:module'
    const require = createRequire(process.cwd() + '/')
    const required = require('unplugin-mock-api/connect')
    const options = { root: ${JSON.stringify(root)}, outgoing: true, logLevel: 'silent' }
    await required.createMiddleware({ ...options, fixtures: 'required.json' }).ready
    await createMiddleware({ ...options, fixtures: 'imported.json' }).ready
    for (const name of ['required', 'imported']) console.log(await (await fetch('https://' + name + '.example/x')).text())
    try {
      required.createMiddleware({ bsae: '/' })
    } catch (error) {
      console.log(error instanceof MockApiError)
    }
    process.exit()`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: packageRoot })
  expect(stdout).toBe('required\nimported\ntrue\n')
})

it('the error of each entry is a MockApiError of the main entry', async () => {
  const entries = [...plugins, 'connect']
  const code = `
    import { MockApiError } from 'unplugin-mock-api'
    for (const name of ${JSON.stringify(entries)}) {
      const entry = await import('unplugin-mock-api/' + name)
      try {
        const plugin = [(entry.mockApi ?? entry.createMiddleware)({ bsae: '/api' })].flat()[0]
        plugin.apply({ options: {}, rspack: { experiments: {} } })
      } catch (error) {
        console.log(name, error instanceof MockApiError, new Error() instanceof MockApiError, error.diagnostics[0].code)
      }
    }`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: packageRoot })
  expect(stdout).toBe(entries.map((name) => `${name} true false option-unknown\n`).join(''))
})

it('an installed middleware answers WebSockets', async () => {
  const root = await mkdtemp(join(tmpdir(), 'mock-api-package-'))
  onTestFinished(() => rm(root, { recursive: true }))
  await mkdir(join(root, 'fixtures'))
  const route = { path: '/news', websocket: { open: [{ send: 'hello' }] } }
  await writeFile(join(root, 'fixtures/news.json'), JSON.stringify([route]))
  const code = `
    import { createServer, get } from 'node:http'
    import { createMiddleware } from 'unplugin-mock-api/connect'
    const middleware = createMiddleware({ root: ${JSON.stringify(root)} })
    const server = createServer(middleware).on('upgrade', middleware.upgrade).listen(0, () => {
      const key = 'dGhlIHNhbXBsZSBub25jZQ=='
      const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': 13, 'sec-websocket-key': key }
      const end = (text) => process.stdout.write(text, () => process.exit())
      get({ port: server.address().port, path: '/news', headers })
        .on('upgrade', ({ statusCode }) => end('status ' + statusCode))
        .on('error', ({ code }) => end('error ' + code))
    })`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: packageRoot })
  expect(stdout).toContain('status 101')
})

it('a middleware that is not closed does not keep its process alive', async () => {
  const code = `import { createMiddleware } from 'unplugin-mock-api/connect'; await createMiddleware().ready`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: packageRoot })
  expect(stdout).toContain('routes from')
})

describe('the command', () => {
  const command = (...args: string[]) =>
    run(process.execPath, [`${packageRoot}/dist/cli.js`, ...args], { cwd: packageRoot }).then(
      ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
        code,
        stdout,
        stderr,
      }),
    )

  it('reports its result to standard output', async () => {
    const { code, stdout } = await command('check')
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('5 routes') as string })
  })

  // Reported by the module of the command, which has a class of its own for the error.
  it('ends with 2 where a file is missing', async () => {
    const { code, stderr } = await command('import', 'har', 'missing.har')
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('missing.har') as string })
  })
})

it('the licenses are those of every bundled package', () => {
  const scripts = readdirSync(`${packageRoot}/dist`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => basename(name))
  expect(builtFiles()).toEqual(expect.arrayContaining(scripts)) // no build is left out
  const bundled = new Set(builtFiles().flatMap((name) => builtFile(name).packages))
  const licenses = readFileSync(`${packageRoot}/dist/third-party-licenses.md`, 'utf8')
  const listed = [...licenses.matchAll(/^## (\S+) \d/gm)].map(([, name]) => name)
  expect(listed).toEqual([...bundled].toSorted())
})

it('fixture.schema.json describes every key, with a default or an example', () => {
  type Property = { description?: string; default?: unknown; examples?: unknown[] }
  const { $defs } = require('unplugin-mock-api/fixture.schema.json') as {
    $defs: Record<string, { properties?: Record<string, Property> }>
  }
  const keys = Object.values($defs).flatMap(({ properties }) => Object.entries(properties ?? {}))
  expect(keys.length).toBeGreaterThan(40)
  expect(keys.filter(([, { description }]) => !description).map(([key]) => key)).toEqual([])
  const named = Object.entries($defs).filter(([name]) => name.endsWith('Schema'))
  const bare = named.flatMap(([name, { properties = {} }]) =>
    Object.entries(properties)
      .filter(([, property]) => !('default' in property) && !property.examples)
      .map(([key]) => `${name}.${key}`),
  )
  expect(bare).toEqual([])
})
