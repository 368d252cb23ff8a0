import type { Route } from '../../core/fixture/route.ts'
import { needsPathRouter } from '../../core/http/path.ts'
import { loadPathRouter } from '../path-router.ts'
import { displayPath } from '../paths.ts'
import { isDataFile } from '../read/read-data.ts'
import type { ReadFixture } from '../read/read-fixture.ts'
import { readText } from '../read/read-whole-file.ts'
import type { FixtureReader } from '../read/reader.ts'
import { FixtureCache, type CachedFixture, type CachedRoute } from './fixture-cache.ts'

export { cachePath } from './cache-path.ts'

/** A reader that keeps what it reads for the next start. */
export interface CachedReader extends FixtureReader {
  /** Saves what was read, and no longer looks into the cache: from now on, files are read because they have changed. */
  save: () => Promise<void>
}

/**
 * A reader that imports the parsers and the schema only for a file that has changed since an earlier start. To parse and check
 * forty routes in YAML takes longer than all the rest of a start.
 *
 * The cache has data files without diagnostics. The content of other files that they name is read each time. Modules are not in
 * it, since they can do anything.
 *
 * @param path the file of the cache
 * @param version see {@link FixtureCache}
 * @param loadReader is called with the first file that has to be read
 */
export function createCachedReader(
  root: string,
  path: string,
  version: string,
  loadReader: () => Promise<FixtureReader>,
): CachedReader {
  let cache: FixtureCache | undefined = new FixtureCache(path, version)
  let reader: Promise<FixtureReader> | undefined

  return {
    async read(path, note, wasFixture) {
      const text = cache && isDataFile(path) && !wasFixture ? readNoted(path, note) : undefined
      const file = displayPath(root, path)
      const cached = text === undefined ? undefined : cache?.find(file, text)
      const restored = cached && (await restore(root, path, cached, note))
      if (restored) return restored
      const { ofText, ...read } = await (await (reader ??= loadReader())).read(path, note, wasFixture, text)
      if (text !== undefined && ofText && read.diagnostics.length === 0)
        cache?.add(file, text, () => ({ isFixture: read.isFixture, routes: ofText.map(toCached) }))
      return read
    },
    async forget(path) {
      await (await reader)?.forget(path)
    },
    async save() {
      const saved = cache
      cache = undefined
      await saved?.save()
    },
  }
}

/** The text of a file; `undefined` if it can't be read, which the reader explains. */
function readNoted(path: string, note: (path: string) => void): string | undefined {
  note(path)
  try {
    return readText(path)
  } catch {
    return undefined
  }
}

/** Leaves out functions: the tests of a selector are compiled again. */
function toCached({ selector, ...route }: Route): CachedRoute {
  const tests = selector?.tests.map(({ field, written }) => ({ field: field!, written })) ?? []
  return { ...route, selector: selector && { equalities: selector.equalities, tests } }
}

/** What the reader gives for a file; `undefined` if there is something to explain. */
async function restore(
  root: string,
  path: string,
  { isFixture, routes: cached }: CachedFixture,
  note: (path: string) => void,
): Promise<ReadFixture | undefined> {
  if (cached.some((route) => needsPathRouter(route.path))) await loadPathRouter()
  const routes = cached.some(hasTests)
    ? await (await import('./restore-selectors.ts')).restoreSelectors(cached)
    : (cached as Route[])
  const read = { isFixture, hasLostRoutes: false, diagnostics: [] }
  if (!routes.some(namesFile)) return { ...read, routes, dependencies: [], parts: [] }
  const { readRouteFiles } = await import('../read/read-route-files.ts')
  const { routes: filled, files, diagnostics } = await readRouteFiles(root, path, routes, note)
  return diagnostics.length > 0 ? undefined : { ...read, routes: filled, dependencies: files, parts: files }
}

function hasTests({ selector }: CachedRoute): boolean {
  return selector !== undefined && selector.tests.length > 0
}

function namesFile({ contentSource, sequence }: Route): boolean {
  return contentSource !== undefined || Boolean(sequence?.parts.some((part) => part.contentSource))
}
