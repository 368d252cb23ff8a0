import { existsSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { bundleWorker } from '../../bundle/bundle-fixtures.ts'
import { formatDiagnostic } from '../../core/diagnostics/format.ts'
import { resolveOptions } from '../../core/options/resolve-options.ts'
import type { Options } from '../../core/options/options.ts'
import { writeFile } from '../../files/write-files.ts'
import { displayPath, toPosix } from '../../files/paths.ts'
import { slug } from '../../writer/endpoint-path.ts'
import { optionsOfConfig } from '../code/plugin-options.ts'
import { readManifest } from '../init/project.ts'
import { noFixtures, placeToWrite, projectFolder } from '../places.ts'
import { UsageError, exitCodes, type ExitCode, type Terminal } from '../terminal.ts'

export interface BundleOptions {
  target: 'worker'
  out: string
  root?: string
  fixtures?: string[]
  base?: string
  scenario?: string
  cors?: string[]
  assets?: string
  minify: boolean
}

/** The tests' version of Cloudflare's runtime. */
const compatibilityDate = '2026-03-01'

export async function bundle(terminal: Terminal, given: BundleOptions): Promise<ExitCode> {
  const folder = projectFolder(terminal, given.root)
  const options = resolveOptions(findOptions(terminal, folder, given), { root: folder, logger: console })
  const out = placeToWrite(folder, given.out, 'file')
  const { minify, cors } = given
  const origins = cors ? { cors: cors.includes('*') ? true : cors } : {}
  const { code, bundler, warnings } = await bundleWorker(options, { minify, origins })
  // The starter templates are not what a named folder stands for.
  if (given.fixtures && warnings.some(({ code }) => code === 'fixtures-not-found'))
    throw new UsageError(noFixtures(options))
  for (const warning of warnings) terminal.note(formatDiagnostic(warning))
  writeFile(out, code)
  const size = Math.ceil(Buffer.byteLength(code) / 1000)
  terminal.print(
    `${displayPath(folder, out)}: the mock API as one ES module, ${size} kB, made with ${bundler}`,
  )
  writeConfig(terminal, folder, out, given.assets)
  return exitCodes.fine
}

function findOptions(terminal: Terminal, folder: string, given: BundleOptions): Options {
  const { fixtures, base, scenario } = given
  const flags = Object.entries({ fixtures, base, scenario }).filter(([, value]) => value !== undefined)
  const replaced = { enabled: true, record: undefined, build: undefined, logger: undefined }
  const wanted = { ...Object.fromEntries(flags), ...replaced }
  return { ...optionsOfConfig(terminal, folder, (name) => !(name in wanted)), ...wanted }
}

/** An existing config stays: it may have a domain, or bindings. */
function writeConfig(terminal: Terminal, folder: string, out: string, assets: string | undefined): void {
  const path = join(dirname(out), 'wrangler.jsonc')
  const names = ['wrangler.jsonc', 'wrangler.json', 'wrangler.toml']
  if (names.some((name) => existsSync(join(dirname(out), name))))
    return terminal.print(`There already is a wrangler config, which stays as it is.`)
  const config = {
    name: `${slug(readManifest(folder)?.name ?? basename(folder)).slice(0, 50) || 'app'}-mock-api`,
    main: `./${basename(out)}`,
    compatibility_date: compatibilityDate,
    no_bundle: true,
    durable_objects: { bindings: [{ name: 'MOCK_API_STATE', class_name: 'MockApiState' }] },
    migrations: [{ tag: 'v1', new_sqlite_classes: ['MockApiState'] }],
    ...(assets !== undefined && {
      assets: {
        directory: toPosix(relative(dirname(out), resolve(folder, assets))) || '.',
        binding: 'ASSETS',
        run_worker_first: true,
      },
    }),
  }
  writeFile(path, `${JSON.stringify(config, null, 2)}\n`)
  terminal.print(`${displayPath(folder, path)}: deploy it with npx wrangler deploy`)
}
