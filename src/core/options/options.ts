import type { Logger, LogLevel } from './logger.ts'

export type { Logger, LogLevel } from './logger.ts'

/**
 * The options of the plugin and of `createMiddleware`. All are optional.
 *
 * @example
 * mockApi({ fixtures: 'mocks', base: '/api' })
 */
export interface Options {
  /** Project folder that relative paths start from. Default: the dev server's root, else the working directory. */
  root?: string | undefined
  /**
   * Where the fixture files are: a folder, a file, or globs, relative to `root`. Default `fixtures`. The word `templates` in
   * the list adds the starter templates (a folder of that name is `./templates`). Without any fixture file, the starter
   * templates answer.
   *
   * @example
   * mockApi({ fixtures: ['mocks', 'src/*.mock.ts', '!mocks/old'] })
   */
  fixtures?: string | string[] | undefined
  /** Path prefix of all routes, such as `/api`: the route `/orders` then answers `/api/orders`. Default: none. */
  base?: string | undefined
  /**
   * Whether anything is answered at all. Default `true`. Strings work as in environment variables, for
   * `enabled: process.env.MOCK`: `false`, `0`, `off`, `no` and the empty string mean `false`; `true`, `1`, `on` and `yes`
   * mean `true`. If the variable is not set, the default applies.
   */
  enabled?: boolean | string | undefined
  /**
   * What happens when a request is for a mock endpoint but matches none of its routes. `error` (the default) answers with a
   * JSON 404 that says why; `passthrough` leaves the request, with its body, to the next middleware.
   */
  unmatched?: 'error' | 'passthrough' | undefined
  /**
   * Who answers a browser that opens the path of a route from the address bar or a link: the route (`answer`, the
   * default), or the application (`passthrough`), whose pages may have the same paths. A route's own `navigation` takes
   * precedence.
   */
  navigation?: 'answer' | 'passthrough' | undefined
  /**
   * The scenario that is active from the start, or a list of scenarios. Their routes take precedence over those
   * without a scenario. Default: none. A text may name several, separated by commas, as in `scenario:
   * process.env.MOCK_SCENARIO`.
   */
  scenario?: string | string[] | undefined
  /**
   * Maximum bytes of a request body that is read to select a route: as sent, and also after decoding its
   * `content-encoding`. Default 1 048 576 (1 MiB). A larger one is answered with 413, or with `unmatched: 'passthrough'`
   * left to the next middleware.
   */
  bodyLimit?: number | undefined
  /**
   * Milliseconds that a response function of a fixture may take. Default 10 000. After that, the answer is a 504; 0 means
   * no limit.
   */
  functionTimeout?: number | undefined
  /** Whether responses name their route in the header `x-mock-route`. Default `true`. */
  routeHeader?: boolean | undefined
  /** The values of `{ $now: true }` and `{ $uuid: true }` in fixtures: see {@link ValueOptions}. */
  values?: ValueOptions | undefined
  /** The GraphQL endpoint: see {@link GraphQLOptions}. */
  graphql?: GraphQLOptions | undefined
  /** The least important level of messages that are logged: `silent`, `error`, `warn` or `info`. Default `info`. */
  logLevel?: LogLevel | undefined
  /** Where messages go. Default: the dev server's logger, else the console. */
  logger?: Logger | undefined
  /** Whether fixture files are watched and reloaded on change. Default `true`. */
  watch?: boolean | undefined
  /**
   * Whether the server has the inspector, at `/__mock-api/`, and its control API. Default `true` in development.
   * `{ preview: true }` adds both to preview servers, and `false` removes both everywhere: then no request is recorded. A
   * build never has them.
   */
  inspector?: boolean | InspectorOptions | undefined
  /**
   * Whether pages show errors of fixture files in the overlay of the dev server. Default `true`. In an automated browser,
   * Vite's overlay is a note that does not cover the page.
   */
  overlay?: boolean | undefined
  /**
   * Whether pages show a small badge that counts their requests without a matching route, and leads to the inspector; and one
   * that names the active scenario or sad path, and ends it with a click. Default `true`. Not in an automated browser, and
   * never in a build.
   */
  badge?: boolean | undefined
  /**
   * Records the answers of the real backend as fixture files. Requests that no route answers go to `target` or, with
   * `true`, to the proxy of the dev server. Routes with `from: backend` use the same backend, even while nothing is
   * recorded: see {@link RecordOptions}. Default `false`.
   */
  record?: boolean | RecordOptions | undefined
  /**
   * Whether routes with a `url` also answer requests that code in the server's own process sends. The address of a dev
   * server, such as `http://localhost:3000`, lets that server answer them: for code in another process or thread.
   * Default `true` in plugins, `false` in `createMiddleware`.
   */
  outgoing?: boolean | string | undefined
  /**
   * What a production build contains of the plugin: nothing (the default), or, with `service-worker`, a worker that
   * answers from the fixtures wherever the build is hosted. See {@link BuildOptions}.
   */
  build?: 'service-worker' | BuildOptions | undefined
}

/**
 * The values of `{ $now: true }` and `{ $uuid: true }` in fixtures, and which requests `fail`.
 *
 * @example
 * mockApi({ values: { now: '2026-11-23T08:00:00Z', seed: 7 } })
 */
export interface ValueOptions {
  /** The time of every answer: an ISO 8601 date. Default: the time of the request. */
  now?: string | undefined
  /** UUIDs, and which requests fail sometimes, follow from it and from the order of the requests. Default 0. */
  seed?: string | number | undefined
}

/** How a production build includes the mock API. */
export interface BuildOptions {
  type: 'service-worker'
  /** Whether its pages show a badge that says so. Default `false`. */
  badge?: boolean | undefined
  /**
   * The path, in the build, of the application's own service worker, such as `sw.js`, if it imports
   * `mock-api-worker.js` with `importScripts`: a page can have only one. Default: none, and `mock-api-worker.js` is
   * registered.
   */
  importedBy?: string | undefined
}

/** Where the inspector is served. */
export interface InspectorOptions {
  /** Whether preview servers have it too. Default `false`. */
  preview?: boolean | undefined
}

/**
 * The options of the GraphQL endpoint. All are optional.
 *
 * @example
 * mockApi({ graphql: { schema: 'schema.graphql', graphiql: true } })
 */
export interface GraphQLOptions {
  /**
   * Path of the GraphQL endpoint, or a list of paths if there are several. Default `/graphql`. Like the paths of routes, it is
   * below the plugin's `base`, and also answers below the dev server's own: with Vite's `base: '/app/'`, `/graphql` and
   * `/app/graphql`. The URL of another origin is one, too.
   */
  path?: string | string[] | undefined
  /**
   * Whether requests must follow the GraphQL-over-HTTP specification: content type, `accept`, parameters, a valid
   * document. Default `false`: these are not checked.
   *
   * @see https://graphql.github.io/graphql-over-http/draft/
   */
  strict?: boolean | undefined
  /**
   * Whether an answer with `data` and `errors` has the status 294 (partial success) instead of 200, for clients that accept
   * `application/graphql-response+json`. Default: as `strict`.
   *
   * @see https://graphql.github.io/graphql-over-http/draft/#sec-Partial-success
   */
  partialSuccess?: boolean | undefined
  /**
   * Whether `data` is cut to what a request selects: aliases, fragments, `@skip` and `@include`. A route's own `shape`
   * takes precedence. Default `false`: fixtures are sent as they are.
   */
  shape?: boolean | undefined
  /**
   * Schema files (`.graphql`, `.graphqls`, `.gql`, or `.json` with the answer to an introspection query), globs, or a
   * list of them, relative to `root`; for `createFetchHandler` the SDL itself. Documents are then validated,
   * introspection is answered, errors propagate to nullable parents, and fields missing in a fixture are filled in by
   * type. Default: none.
   */
  schema?: string | string[] | undefined
  /** Values for missing fields of custom scalars, by the scalar's name: `{ DateTime: '2026-01-01T00:00:00Z' }`. Default: none. */
  scalars?: Record<string, unknown> | undefined
  /**
   * Whether a browser that opens the endpoint gets GraphiQL. Needs the package `@graphql-yoga/render-graphiql`. Default
   * `false`.
   */
  graphiql?: boolean | undefined
  /** Maximum tokens of a document. Default 10 000. A larger one is answered with a GraphQL error. */
  maxTokens?: number | undefined
  /** Maximum levels to which a document nests. Default 100. A deeper one is answered with a GraphQL error. */
  maxDepth?: number | undefined
  /**
   * Maximum work for one request, including all operations of a batch, in units: parsing a token or producing a field costs
   * about one. Default 100 000. A request that needs more is answered with a GraphQL error that says what the units were
   * used for.
   */
  maxCost?: number | undefined
}

/**
 * Where the real backend is, and how its answers are recorded.
 *
 * @example
 * mockApi({ record: { target: 'https://staging.example', enabled: process.env.RECORD ?? false } })
 */
export interface RecordOptions {
  /**
   * The origin of the backend, optionally with a path that is put before those of the requests:
   * `https://staging.example/v1`. Default: the proxy of the dev server, or whatever else comes after the plugin.
   */
  target?: string | undefined
  /**
   * Whether recording begins when the server starts. Default `true`. The inspector and the control API start and stop it, too.
   * Strings work as in environment variables, as for the option `enabled` of the plugin.
   */
  enabled?: boolean | string | undefined
  /**
   * The paths to record, as globs: `/api/**`. Default: every request that the dev server has no file for, except
   * pages and their scripts, styles, images and fonts.
   */
  include?: string | string[] | undefined
  /** Paths not to record, as globs. They are left to the dev server. Default: none. */
  exclude?: string | string[] | undefined
  /** Folder of the recorded files, relative to `root`. Default `recorded` in the first folder of the option `fixtures`. */
  folder?: string | undefined
  /** Whether the certificate of `target` must be valid; `false` accepts a self-signed one. Default `true`. */
  secure?: boolean | undefined
  /**
   * Whether requests that only read, and that a fixture has answered, are then also sent to `target`, to compare its answer: at
   * most once in ten minutes for each route, with the headers of the page. The inspector shows the differences. Default `false`.
   */
  compare?: boolean | undefined
  /** Request headers for `target`, in addition to those of the client: `{ authorization: 'Bearer …' }`. Never recorded. */
  headers?: Record<string, string> | undefined
}

/** Which pages and host names are accepted, for servers that do not check them first. */
export interface OriginOptions {
  /**
   * Which pages of other origins can send requests. Default: those of this machine (`localhost`, `127.0.0.1`) and of the
   * request's own host, with any port. A list adds origins, `true` allows every page, and `false` leaves CORS to the
   * application: no header is added, and nothing is refused.
   */
  cors?: boolean | string[] | undefined
  /**
   * Host names to accept in addition to `localhost`, its subdomains and IP addresses; `.example.com` means a domain and
   * its subdomains, and `true` every name. Default: none, so that no web page can reach the server through its own host
   * name (DNS rebinding). Requests over HTTPS are not checked: the certificate proves the name.
   */
  allowedHosts?: true | string[] | undefined
}

/** The options of `createMiddleware`: those of the plugin, and those that a dev server has its own options for. */
export interface MiddlewareOptions extends Omit<Options, 'build' | 'overlay'>, OriginOptions {
  /** Whether pages that later handlers send get the badge, as a script in their head. Default `false`. */
  badge?: boolean | undefined
}

/** The options of `createFetchHandler`: those of `createMiddleware` that need no files. */
export type FetchOptions = Omit<
  MiddlewareOptions,
  'root' | 'fixtures' | 'watch' | 'inspector' | 'badge' | 'record' | 'outgoing'
> & {
  /** Where routes with `from: backend` send requests, with these headers added. Nothing is recorded here. */
  record?: Pick<RecordOptions, 'target' | 'headers'> | undefined
  /**
   * Whether the handler has the inspector, at `/__mock-api/`, and its control API: in Node, Bun and Deno, with the list of
   * `loadRoutes(…, { watch: true })`. Default `false`.
   */
  inspector?: boolean | undefined
}

/** The options of `loadRoutes`. */
export interface LoadOptions extends Pick<Options, 'root' | 'logLevel' | 'logger'> {
  /** Whether the list follows the fixture files when they change. Default `false`. */
  watch?: boolean | undefined
}
