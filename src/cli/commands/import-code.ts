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

/** Writes fixture files from the data of json-server. */
export async function importJsonServer(
  terminal: Terminal,
  file: string,
  options: ImportOptions,
): Promise<ExitCode> {
  const path = fileToRead(projectFolder(terminal, options.root), file)
  // json-server also takes a module that exports the data, or a function that returns it.
  const given = await read(path)
  const database = typeof given === 'function' ? await (given as () => unknown)() : given
  if (!isRecord(database)) throw new Error(`${file} has no object with the resources of json-server.`)
  return saveImport(terminal, readJsonServer(database), options)
}

/** Writes fixture files from mocks of vite-plugin-mock-dev-server. */
export async function importMockDevServer(
  terminal: Terminal,
  names: string[],
  options: ImportOptions,
): Promise<ExitCode> {
  return importEach(terminal, names, options, async (path, name, routes) => {
    addMockDevServer(await read(path), name, routes)
  })
}

/** Writes fixture files from handlers of Mock Service Worker. */
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

/** The default export of a module, or the data of a file. */
async function read(path: string): Promise<unknown> {
  if (/\.[cm]?[jt]s$/.test(path)) return (await loadModule(path))['default']
  try {
    return JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, '')) as unknown
  } catch (error) {
    throw new Error(`${path} is not JSON: ${reasonOf(error)}`, { cause: error })
  }
}

/**
 * The exports of a module of the project, in TypeScript or JavaScript.
 *
 * @throws Error with the name of the file, when it can't be loaded
 */
async function loadModule(path: string): Promise<Record<string, unknown>> {
  try {
    return await createJiti(path, { fsCache: false }).import<Record<string, unknown>>(path)
  } catch (error) {
    // Node adds the list of importing modules on lines of their own.
    const [reason] = reasonOf(error).split('\nRequire stack:')
    throw new Error(`${path} can't be loaded: ${reason}`, { cause: error })
  }
}
