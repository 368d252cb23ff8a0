import { readFileSync } from 'node:fs'
import { createJiti } from 'jiti'
import { parseExactly } from '../../core/values/exact-number.ts'
import { isRecord } from '../../core/values/values.ts'
import { formatPlace } from '../../core/diagnostics/format.ts'
import { createProjectJiti, createResolver, projectWorld } from '../../loader/module/project-modules.ts'
import { importFailed } from '../../loader/module/explain-import.ts'
import { displayPath } from '../../files/paths.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import { readJsonServer } from '../import/json-server.ts'
import { addMockDevServer } from '../import/mock-dev-server.ts'
import { addHandlers } from '../import/msw.ts'
import { ImportedRoutes, saveImport, type ImportOptions } from '../import/save-import.ts'
import { fileToRead, projectFolder } from '../places.ts'
import { createProgress, type ExitCode, type Terminal } from '../terminal.ts'

export async function importJsonServer(
  terminal: Terminal,
  file: string,
  options: ImportOptions,
): Promise<ExitCode> {
  const folder = projectFolder(terminal, options.root)
  const path = fileToRead(folder, file)
  // A module may export the data, or a function that returns it.
  const given = await read(path, createLoad(folder)).catch((error: unknown) => {
    const { where, reason } = explain(error, folder, path)
    throw new Error(`${where}: ${reason}`, { cause: error })
  })
  const database = typeof given === 'function' ? await (given as () => unknown)() : given
  if (!isRecord(database)) throw new Error(`${file} has no object with the resources of json-server.`)
  return saveImport(terminal, readJsonServer(database), options)
}

export async function importMockDevServer(
  terminal: Terminal,
  names: string[],
  options: ImportOptions,
): Promise<ExitCode> {
  return importEach(terminal, names, options, async (load, path, name, routes) => {
    addMockDevServer(await read(path, load), name, routes)
  })
}

export async function importMsw(
  terminal: Terminal,
  names: string[],
  options: ImportOptions,
): Promise<ExitCode> {
  return importEach(terminal, names, options, async (load, path, name, routes) => {
    // Without it, `sse` of MSW throws.
    const isWithout = !('EventSource' in globalThis)
    if (isWithout) Object.assign(globalThis, { EventSource: class {} })
    try {
      await addHandlers(await load(path), { path, name }, routes)
    } finally {
      if (isWithout) Reflect.deleteProperty(globalThis, 'EventSource')
    }
  })
}

/** A file that can't be loaded does not stop the others. */
async function importEach(
  terminal: Terminal,
  names: readonly string[],
  options: ImportOptions,
  add: (load: Load, path: string, name: string, routes: ImportedRoutes) => Promise<void>,
): Promise<ExitCode> {
  const routes = new ImportedRoutes()
  const folder = projectFolder(terminal, options.root)
  const load = createLoad(folder)
  const progress = createProgress(terminal)
  for (const [index, path] of names.map((file) => fileToRead(folder, file)).entries()) {
    const name = displayPath(folder, path)
    progress(() => `Loading: ${index} of ${names.length} files`)
    try {
      await add(load, path, name, routes)
    } catch (error) {
      const { where, reason } = explain(error, folder, path)
      routes.omissions.add('a file', reason, where)
    }
  }
  // Each of them is to be written by hand.
  return saveImport(terminal, Object.assign(routes, { maxPlaces: Infinity }), options)
}

async function read(path: string, load: Load): Promise<unknown> {
  if (/\.[cm]?[jt]s$/.test(path)) {
    const module = await load(path)
    return 'default' in module ? module['default'] : module
  }
  try {
    return parseExactly(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new Error(`it is not JSON: ${reasonOf(error)}`, { cause: error })
  }
}

type Load = (path: string) => Promise<Record<string, unknown>>

/** Modules import what those of the application do, as fixture files will. */
function createLoad(folder: string): Load {
  const world = projectWorld(folder)
  const jiti = createProjectJiti(createJiti, folder, { world, resolver: createResolver(folder, world) })
  return (path) => jiti.import<Record<string, unknown>>(path)
}

/** Exports that MSW 3 has moved, by the error that shows the old import. */
const ofMsw3: [missing: RegExp, fix: string][] = [
  [/undefined \(reading '(?:query|mutation|operation|link)'\)/, 'MSW 3 has "graphql" in "msw/graphql"'],
  [/graphql\.(?:query|mutation|operation) is not a function/, 'MSW 3 has it on graphql.link("*/graphql")'],
]

function explain(error: unknown, folder: string, path: string): { where: string; reason: string } {
  const { message, ...place } = importFailed(error, folder, path)
  const reason = message.replace(/^The fixture file failed while it was imported: /, '').replace(/\.$/, '')
  const fix = ofMsw3.find(([missing]) => missing.test(reason))?.[1]
  return { where: formatPlace(place), reason: fix === undefined ? reason : `${reason}: ${fix}` }
}
