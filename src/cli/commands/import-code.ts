import { readFileSync } from 'node:fs'
import { createJiti } from 'jiti'
import { isRecord } from '../../core/values/values.ts'
import { displayPath } from '../../loader/paths.ts'
import { reasonOf } from '../../core/values/thrown.ts'
import { readJsonServer } from '../import/json-server.ts'
import { addMockDevServer } from '../import/mock-dev-server.ts'
import { addHandler, findHandlers } from '../import/msw.ts'
import { ImportedRoutes, saveImport, type ImportOptions } from '../import/save-import.ts'
import { fileToRead, projectFolder } from '../places.ts'
import type { ExitCode, Terminal } from '../terminal.ts'

export async function importJsonServer(
  terminal: Terminal,
  file: string,
  options: ImportOptions,
): Promise<ExitCode> {
  const path = fileToRead(projectFolder(terminal, options.root), file)
  // A module may export the data, or a function that returns it.
  const given = await read(path)
  const database = typeof given === 'function' ? await (given as () => unknown)() : given
  if (!isRecord(database)) throw new Error(`${file} has no object with the resources of json-server.`)
  return saveImport(terminal, readJsonServer(database), options)
}

export async function importMockDevServer(
  terminal: Terminal,
  names: string[],
  options: ImportOptions,
): Promise<ExitCode> {
  return importEach(terminal, names, options, async (path, name, routes) => {
    addMockDevServer(await read(path), name, routes)
  })
}

export async function importMsw(
  terminal: Terminal,
  names: string[],
  options: ImportOptions,
): Promise<ExitCode> {
  return importEach(terminal, names, options, async (path, name, routes) => {
    const handlers = findHandlers(await loadModule(path))
    if (handlers.size === 0) routes.omissions.add('a file', 'it exports no handlers', name)
    for (const handler of handlers) await addHandler(handler, routes)
  })
}

/** A file that can't be loaded does not stop the others. */
async function importEach(
  terminal: Terminal,
  names: readonly string[],
  options: ImportOptions,
  add: (path: string, name: string, routes: ImportedRoutes) => Promise<void>,
): Promise<ExitCode> {
  const routes = new ImportedRoutes()
  const folder = projectFolder(terminal, options.root)
  for (const path of names.map((file) => fileToRead(folder, file))) {
    const name = displayPath(folder, path)
    try {
      await add(path, name, routes)
    } catch (error) {
      routes.omissions.add('a file', reasonOf(error), name)
    }
  }
  return saveImport(terminal, routes, options)
}

async function read(path: string): Promise<unknown> {
  if (/\.[cm]?[jt]s$/.test(path)) return (await loadModule(path))['default']
  try {
    return JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, '')) as unknown
  } catch (error) {
    throw new Error(`${path} is not JSON: ${reasonOf(error)}`, { cause: error })
  }
}

/** @throws Error with the name of a file that can't be loaded */
async function loadModule(path: string): Promise<Record<string, unknown>> {
  try {
    return await createJiti(path, { fsCache: false }).import<Record<string, unknown>>(path)
  } catch (error) {
    // Node adds the importing modules on further lines.
    const [reason] = reasonOf(error).split('\nRequire stack:')
    throw new Error(`${path} can't be loaded: ${reason}`, { cause: error })
  }
}
