import { posix } from 'node:path'
import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'

/** The rooms of src/core, from the bottom up. A room imports itself and the rooms before it in this list. */
const rooms = [
  'values',
  'shape',
  'diagnostics',
  'http',
  'schema',
  'response',
  'graphql',
  'redact',
  'request',
  'options',
  'graphql-schema',
  'select',
  'request-values',
  'paginate',
  'collection',
  'stream',
  'fixture',
  'table',
  'state',
  'sad-path',
  'answer',
]

/** The rooms of src, from the bottom up. A room never imports one above it, nor an entry of the package. */
const layers =
  'core writer reader wire files openapi loader backend import inspector server bundle plugin intercept service-worker explore cli'.split(
    ' ',
  )

/** What answers fetch requests runs where there is no Node. */
const withoutNode = ['wire/web', 'server/web', 'service-worker']

/** One rule for each folder, since of two that name the same file the last one counts. */
function layerRule(folder) {
  const [room] = folder.split('/')
  const above = layers.slice(layers.indexOf(room) + 1).map((other) => `**/${other}/**`)
  const libraries = room === 'plugin' ? [] : ['connect', 'unplugin']
  const node = withoutNode.includes(folder) ? ['node:*', '**/loader/**', '**/node/**'] : []
  const patterns = [...new Set([...above, ...libraries, ...node])]
  return { files: [`src/${folder}/**`], rules: { 'no-restricted-imports': ['error', { patterns }] } }
}

/** What core/ may import besides: small libraries without I/O. */
const libraries = 'valibot|graphql|graphql/.*|rou3|cookie|leven|mrmime|negotiator/.*|re2js'

/** Imports that files may not have. Each pattern has the regular expression of a path, and why not. */
function without(files, ...patterns) {
  return { files, rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns }] } }
}

/** Of the files in a room, and of those in its folders. */
function roomRules(room, index) {
  return [room, `${room}/*`].map((folder) => folderRules(folder, room, index))
}

function folderRules(folder, room, index) {
  const pathTo = (other) => escapeDots(`${posix.relative(folder, other)}/`)
  const own = folder === room ? ['\\./'] : ['\\./', '\\.\\./']
  const allowed = [...own, ...rooms.slice(0, index).map(pathTo)].join('|')
  const below = {
    regex: `^(?!(?:${allowed})(?:[\\w-]+/)?[^/]+\\.ts$|(?:${libraries})$)`,
    message: `core/${room} imports only the rooms below it and small pure libraries (eslint.config.js has the list).`,
  }
  const lazy = {
    regex: `^${pathTo('graphql-schema')}`,
    allowTypeImports: true,
    message: 'What needs a schema is loaded lazily: import its types only.',
  }
  // The whole of graphql-js takes 60 ms to load.
  const whole = {
    regex: '^graphql$',
    allowTypeImports: true,
    message: 'Import the module of graphql-js that is needed.',
  }
  const patterns = room === 'graphql-schema' ? [below, lazy] : [below, lazy, whole]
  return without([`src/core/${folder}/*.ts`], ...patterns)
}

function escapeDots(text) {
  return text.replaceAll('.', '\\.')
}

/** One-line doc comments whose subject is somewhere else. Editors and generated docs show a comment alone. */
const docComments = {
  meta: {
    messages: { fragment: 'Begin with a noun or a verb, so that the comment is true when it is read alone.' },
  },
  create(context) {
    const fragment = /^\*\s+(?:Of|Those|As|Also|What|The same|Otherwise|It|Its|They)\b[^\n]*$/
    return {
      Program() {
        for (const { type, value, loc } of context.sourceCode.getAllComments())
          if (type === 'Block' && fragment.test(value)) context.report({ loc, messageId: 'fragment' })
      },
    }
  },
}

const impureGlobals = [
  'process',
  'Buffer',
  'console',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'performance',
  'fetch',
  'Request',
  'Response',
  'FormData',
]

export default defineConfig(
  globalIgnores([
    'dist',
    'coverage',
    'artifacts',
    'examples',
    'test/docs/support',
    'test/types', // compiled against dist, by a test
    'docs/.vitepress/cache',
    '**/*.js',
    '**/*.mjs',
  ]),
  tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.json', './playground/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // An interface keeps its name in declaration files; a type would be written out.
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
      '@typescript-eslint/no-base-to-string': 'off', // it reports every narrowed unknown
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
  {
    // core/ is pure: plain data in, plain data out. It knows no file, no clock and no host.
    files: ['src/core/**'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...impureGlobals.map((name) => ({ name, message: 'core/ is pure.' })),
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now' },
        { object: 'Math', property: 'random' },
      ],
    },
  },
  ...rooms.flatMap(roomRules),
  {
    files: ['src/**'],
    plugins: { house: { rules: { 'doc-comments': docComments } } },
    rules: {
      'house/doc-comments': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: "NewExpression[callee.name='URL'] MetaProperty",
          message:
            'Bundlers that bundle the package, as Next.js does, look for the file. Use fileURLToPath and resolve.',
        },
      ],
    },
  },
  {
    // Every file of core/ is in a room.
    files: ['src/core/*.ts'],
    rules: {
      'no-restricted-syntax': ['error', { selector: 'Program', message: 'Put it into a room of core/.' }],
    },
  },
  // The writer turns plain data into text; whoever calls it reads and writes files.
  without(['src/writer/**'], {
    regex:
      '^(?!\\.{1,2}/(?:(?:exchange|har|pages)/)?[^/]+\\.ts$|(?:\\.\\./){1,2}core/|yaml$|mrmime$|graphql/language/ast\\.js$)',
    message: 'src/writer is pure: it imports only itself, the core, yaml and mrmime.',
  }),
  // The reader turns text into routes; the loader reads the files, and a page of the docs has none.
  without(['src/reader/**'], {
    regex: '^(?!\\./[^/]+\\.ts$|\\.\\./(?:core|writer)/|yaml$|js-yaml$|@humanwhocodes/momoa$)',
    message: 'src/reader is pure: it imports only itself, the core, the writer and parsers.',
  }),
  // What the inspector records and shows is plain data. Only its server (inspector/server) knows Node and the hosts.
  without(['src/inspector/*.ts'], {
    regex: '^(?!\\./(?:api/)?[^/]+\\.ts$|\\.\\./(?:core|writer)/|valibot$)',
    message:
      'src/inspector imports only itself, the core, the writer and valibot; what needs Node is in inspector/server.',
  }),
  // The client and the page run in browsers, and know only the types of the API, and what core does with values, positions in them, lists and cookies.
  without(
    ['src/client.ts', 'src/inspector/client/**', 'src/inspector/page/**'],
    { regex: '^node:', message: 'It runs in browsers.' },
    {
      regex:
        '/core/(?!values/|http/whose-state\\.ts$|sad-path/(?:positions|describe-sad-path)\\.ts$|collection/find-items\\.ts$)|/(?:loader|hosts|server)/|/inspector/(?!api/|client/)',
      allowTypeImports: false,
      message: 'Import the types of inspector/api/.',
    },
  ),
  ...[...new Set([...layers, ...withoutNode])].map(layerRule),
  // It asks the control API of a server that runs, as any other program.
  without(['src/explore/**'], {
    regex:
      '/(?:loader|openapi|backend|server|bundle|plugin|intercept|service-worker|cli)/|/inspector/(?!api/|client/)',
    message: 'src/explore knows the client of the control API, and no server.',
  }),
)
