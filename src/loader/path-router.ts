import type { PathRouter } from '../core/http/path-router.ts'

let loaded: PathRouter | undefined

/** Imports the router, before a path for which `needsPathRouter` is true is parsed or compiled. */
export async function loadPathRouter(): Promise<void> {
  loaded ??= (await import('../core/http/path-router.ts')).pathRouter
}

/** The router as the parser and the compiler get it, which are synchronous: it is there when they need it. */
export const lazyPathRouter: PathRouter = {
  nodeKeys: (path) => loadedRouter().nodeKeys(path),
  matchesSame: (path, other) => loadedRouter().matchesSame(path, other),
  makeFind: (targets, indexes) => loadedRouter().makeFind(targets, indexes),
}

function loadedRouter(): PathRouter {
  if (!loaded) throw new Error('A path needs the router, which was not imported before.')
  return loaded
}
