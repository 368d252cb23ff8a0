import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Route } from '../fixture/route.ts'
import type { DocumentChecker } from '../graphql/checker.ts'
import { createGraphQLEndpoint, type GraphQLEndpoint } from '../graphql/endpoint.ts'
import type { Navigation } from '../schema/schema.ts'
import type { GraphQLSettings } from '../graphql/settings.ts'
import type { PathRouter } from '../http/path-router.ts'
import { trimSlash } from '../http/path.ts'
import { getOrMake } from '../values/collections.ts'
import { createAssembler, replaceEndpoints, type Assembled } from './assemble-table.ts'
import { compileEndpoint, type CompiledEndpoint, type RouteGroup } from './compile-endpoint.ts'
import { createGrouping, isSamePath } from './group-routes.ts'
import type { RouteTable } from './route-table.ts'

export interface CompileOptions {
  graphql: GraphQLSettings
  /** Used only for paths that are not simple. */
  router: PathRouter
  checker?: DocumentChecker | undefined
  schemaError?: Diagnostic | undefined
  unmatched?: 'error' | 'passthrough' | undefined
  navigation?: Navigation | undefined
}

export interface CompiledTable {
  table: RouteTable
  diagnostics: Diagnostic[]
}

/** Compiles routes, in the order of the fixture files, to a route table. Never throws. */
export function compileRoutes(routes: readonly Route[], options: CompileOptions): CompiledTable {
  return createCompiler(options)(routes, options)
}

/**
 * Makes a function that compiles routes again whenever their files change. It reuses an endpoint whose routes are the same
 * objects as the last time; the result is the same as that of `compileRoutes`.
 */
export function createCompiler({
  graphql: settings,
  router,
  unmatched,
  navigation,
}: Pick<CompileOptions, 'graphql' | 'router' | 'unmatched' | 'navigation'>): (
  routes: readonly Route[],
  checks: Pick<CompileOptions, 'checker' | 'schemaError'>,
) => CompiledTable {
  let known = new Map<string, CompiledGroup>()
  let assembled: Assembled | undefined
  const group = createGrouping(router)
  const assemble = createAssembler(router)
  const addSchemaRoutes = createSchemaRoutes(unmatched)
  let graphqlEndpoint: GraphQLEndpoint | undefined
  let lastOrder = 0
  const nextOrder = () => lastOrder++
  const passesNavigations = navigation === 'passthrough'

  function compileGroup(group: RouteGroup): CompiledGroup {
    const last = known.get(group.place.key)
    if (last && isSame(last.group, group)) return last
    return { group, ...compileEndpoint(group, nextOrder, passesNavigations) }
  }

  function compileAll(groups: Iterable<RouteGroup>): Assembled {
    const compiled = new Map<string, CompiledGroup>()
    for (const group of groups) compiled.set(group.place.key, compileGroup(group))
    known = compiled
    return assemble(compiled.values())
  }

  function compileReplaced(last: Assembled, groups: readonly RouteGroup[]): Assembled {
    const replaced = groups.map((group) => {
      const [before, now] = [known.get(group.place.key)!, compileGroup(group)]
      known.set(group.place.key, now)
      return { before, now }
    })
    return replaceEndpoints(last, replaced) ?? assemble(known.values())
  }

  return (routes, { checker, schemaError }) => {
    if (graphqlEndpoint?.checker !== checker || graphqlEndpoint?.schemaError !== schemaError)
      graphqlEndpoint = undefined
    graphqlEndpoint ??= createGraphQLEndpoint(settings, checker, schemaError)
    const { groups, replaced, diagnostics } = group(addSchemaRoutes(routes, graphqlEndpoint), graphqlEndpoint)
    assembled = assembled && replaced ? compileReplaced(assembled, replaced) : compileAll(groups.values())
    return { table: assembled.table, diagnostics: [...diagnostics, ...assembled.diagnostics] }
  }
}

interface CompiledGroup extends CompiledEndpoint {
  group: RouteGroup
}

function isSame(before: RouteGroup, now: RouteGroup): boolean {
  if (before.place.graphql !== now.place.graphql || before.place.path !== now.place.path) return false
  if (before.routes.length !== now.routes.length) return false
  for (let i = 0; i < now.routes.length; i++) if (before.routes[i] !== now.routes[i]) return false
  return true
}

/**
 * With a schema, each GraphQL endpoint has a default route: since missing fields are filled in, a whole answer can be too.
 * With `unmatched: 'passthrough'`, requests that no route of the project selects go to the next handler instead.
 *
 * @returns a function that adds these routes, which are the same objects each time
 */
function createSchemaRoutes(unmatched: CompileOptions['unmatched']) {
  const made = new Map<string, Route>()
  const source = { file: 'the schema' }
  const makeRoute = (path: string): Route => ({
    name: 'filled in by the schema',
    path,
    response: { body: { data: {} } },
    source,
  })
  return (routes: readonly Route[], { paths, checker, schemaError }: GraphQLEndpoint): readonly Route[] => {
    if (!checker?.hasSchema && !schemaError) return routes
    const open = paths.filter((path) => {
      const own = routes.filter(
        (route) =>
          !route.scenarios && isSamePath(trimSlash(route.path), path) && (route.method ?? 'POST') === 'POST',
      )
      return own.every(({ selector }) => selector) && (own.length === 0 || unmatched !== 'passthrough')
    })
    return [...routes, ...open.map((path) => getOrMake(made, path, makeRoute))]
  }
}
