import { mainScript } from './lib/answers.mjs'
import { hasCache, makeProject, makeViteProject, removeCache } from './lib/project.mjs'
import { works } from './lib/requests.mjs'
import { timeRun, timeStart, timeViteBuild } from './lib/start-process.mjs'
import { median, spread } from './lib/stats.mjs'

const [page2] = works
const entries = ['vite', 'webpack', 'rspack', 'rsbuild', 'connect', 'fetch', 'fixture']

/** What the plugin adds to the start of each host, to the import of a config, and to a build. */
export async function start({ quick, log }) {
  const rounds = quick ? 5 : 21
  return [
    await starts({ rounds, log }),
    imports({ rounds: rounds * 2, log }),
    builds({ rounds: Math.ceil(rounds / 2), log }),
  ]
}

/** Each subject is compared with the one named by `base`: the same host without the plugin. */
const subjects = [
  { name: 'Vite, floor', host: 'vite', until: 'mocked', root: () => makeViteProject('floor') },
  ...[
    ['Vite, floor again (A/A)', () => makeViteProject('floor')],
    ['Vite, templates', () => makeViteProject('ours'), { hasCache }],
    ['Vite, templates, the first start', () => makeViteProject('ours'), { removeCache }],
    ['Vite, 40 YAML routes', () => makeViteProject('ours', yamlRoutes()), { hasCache }],
    ['Vite, 40 YAML routes, the first start', () => makeViteProject('ours', yamlRoutes()), { removeCache }],
    ['Vite, 100 TypeScript fixtures', () => makeViteProject('ours', typescriptFixtures())],
    ['Vite, vite-plugin-mock-dev-server', () => makeViteProject('vite-plugin-mock-dev-server')],
    ['Vite, vite-plugin-fake-server', () => makeViteProject('vite-plugin-fake-server')],
  ].map(([name, root, cache]) => ({
    name,
    host: 'vite',
    until: 'mocked',
    root,
    base: 'Vite, floor',
    ...cache,
  })),
  ...['webpack', 'rspack', 'rsbuild'].flatMap((host) => {
    const base = `${host} alone`
    return [
      { name: base, host, until: 'compiled', root: () => makeCompilerProject(host, false) },
      {
        name: `${base} again (A/A)`,
        host,
        until: 'compiled',
        root: () => makeCompilerProject(host, false),
        base,
      },
      {
        name: `${host}, templates`,
        host,
        until: 'compiled',
        root: () => makeCompilerProject(host, true),
        base,
      },
    ]
  }),
]

async function starts({ rounds, log }) {
  const roots = subjects.map(({ root }) => root())
  const moments = new Map(subjects.map(({ name }) => [name, []]))
  for (let round = -1; round < rounds; round++) {
    // There and back, since what ran before affects the caches of the machine.
    const turns = round % 2 === 0 ? [...subjects.entries()] : [...subjects.entries()].reverse()
    for (const [index, { name, host, until, base, hasCache, removeCache }] of turns) {
      log(`Start: round ${round + 1} of ${rounds}, ${name}`)
      const hasMocks = until === 'mocked' || (base !== undefined && name.endsWith('templates'))
      removeCache?.(roots[index])
      const isSettled = hasCache && (() => hasCache(roots[index]))
      const times = await timeStart(host, roots[index], hasMocks ? page2 : undefined, isSettled)
      if (round >= 0) moments.get(name).push(times)
    }
  }
  const of = (name, until, unit) => moments.get(name).map((times) => times[until]?.[unit])
  const row = (name, until, title, base, baseUntil = until) => [
    title,
    ...['wall', 'cpu'].flatMap((unit) => [
      median(of(name, until, unit)).toFixed(0),
      base ? ratios(of(name, until, unit), of(base, baseUntil, unit)) : '1',
    ]),
  ]
  const rows = subjects.flatMap(({ name, until, base }) => {
    const isOurs = base !== undefined && name.endsWith('templates') && until === 'compiled'
    return [
      row(name, until, `${name}: ${until === 'mocked' ? 'first answer' : 'first compile'}`, base),
      ...(isOurs
        ? [row(name, 'mocked', `${name}: first mocked answer, beside the first compile`, base, until)]
        : []),
    ]
  })
  rows.splice(1, 0, row('Vite, floor', 'listening', 'Vite, floor: listens', 'Vite, floor', 'mocked'))
  const head = ['Subject', 'ms', 'Times the host (quartiles)', 'CPU ms', 'Times its CPU (quartiles)']
  return { title: 'Start of a dev server, in new processes', head, rows }
}

function imports({ rounds, log }) {
  const root = makeProject({
    'empty.mjs': '',
    ...Object.fromEntries(entries.map((entry) => [`${entry}.mjs`, `import 'unplugin-mock-api/${entry}'\n`])),
  })
  const names = ['empty', ...entries]
  const times = new Map(names.map((name) => [name, []]))
  for (let round = -1; round < rounds; round++) {
    log(`Import: round ${round + 1} of ${rounds}`)
    for (const name of names) {
      const moment = timeRun(`${name}.mjs`, [], root)
      if (round >= 0) times.get(name).push(moment)
    }
  }
  const beyond = (name, unit) =>
    spread(
      times.get(name).map((moment, round) => moment[unit] - times.get('empty')[round][unit]),
      1,
    )
  return {
    title: 'Import of an entry, in new processes',
    head: ['Entry', 'ms more than an empty module (quartiles)', 'CPU ms more (quartiles)'],
    rows: entries.map((entry) => [`\`/${entry}\``, beyond(entry, 'wall'), beyond(entry, 'cpu')]),
  }
}

function builds({ rounds, log }) {
  const names = ['without the plugin', 'without it again (A/A)', 'with the plugin']
  const roots = ['none', 'none', 'ours'].map((plugin) => makeViteProject(plugin))
  const times = names.map(() => [])
  for (let round = -1; round < rounds; round++) {
    log(`Build: round ${round + 1} of ${rounds}`)
    for (const [index, root] of roots.entries()) {
      const moment = timeViteBuild(root)
      if (round >= 0) times[index].push(moment)
    }
  }
  const column = (index, unit) => times[index].map((moment) => moment[unit])
  return {
    title: 'Build: `vite build`',
    head: ['Subject', 'ms', 'Times the build without (quartiles)', 'CPU ms', 'Times its CPU (quartiles)'],
    rows: names.map((name, index) => [
      name,
      ...['wall', 'cpu'].flatMap((unit) => [
        median(column(index, unit)).toFixed(0),
        index === 0 ? '1' : ratios(column(index, unit), column(0, unit)),
      ]),
    ]),
  }
}

/** Of the values of the same rounds. */
function ratios(values, others) {
  return spread(
    values.map((value, round) => value / others[round]),
    2,
  )
}

/** A project of webpack, Rspack or Rsbuild, with the plugin or without any. */
function makeCompilerProject(host, hasPlugin) {
  const plugins = hasPlugin ? 'plugins: [mockApi()],' : ''
  const config = {
    webpack: `mode: 'development', entry: './src/main.js', ${plugins} devServer: { host: '127.0.0.1', port: process.env.PORT }`,
    rspack: `mode: 'development', entry: './src/main.js', ${plugins} devServer: { host: '127.0.0.1', port: process.env.PORT }`,
    rsbuild: `source: { entry: { index: './src/main.js' } }, ${plugins}`,
  }[host]
  return makeProject({
    'package.json': '{ "type": "module", "private": true }\n',
    'src/main.js': mainScript,
    [`${host}.config.mjs`]: `${hasPlugin ? `import mockApi from 'unplugin-mock-api/${host}'\n` : ''}export default { ${config} }\n`,
  })
}

const page = { page: 2, per_page: 3, total: 8, total_pages: 3, has_more: true }
const data = [4, 5, 6].map((id) => ({ id, name: `Item ${id}` }))
const itemsPage2 = `{ path: /items, response: { body: ${JSON.stringify({ ...page, data })} } }`

/** 40 routes in 8 files, as a small application has them. */
export function yamlRoutes() {
  const route = (number) => `- path: /r/${number}/:id
  when: { query: { state: open } }
  response:
    headers: { cache-control: no-store }
    body: { id: ${number}, state: open, tags: [a, b], owner: { name: Ada, mail: ada@example.com } }
`
  const texts = Array.from({ length: 8 }, (_, file) =>
    Array.from({ length: 5 }, (_, index) =>
      file + index === 0 ? `- ${itemsPage2}\n` : route(file * 5 + index),
    ).join('\n'),
  )
  return Object.fromEntries(texts.map((text, index) => [`fixtures/routes-${index}.yaml`, text]))
}

function typescriptFixtures() {
  const text = (index) => `import { defineFixture } from 'unplugin-mock-api/fixture'

const name: string = 'item ${index}'

export default defineFixture([
  { path: '/r/${index}/:id', response: ({ params }) => ({ body: { id: params.id, name } }) },
  ${index === 0 ? itemsPage2.replace('/items', "'/items'") : ''}
])
`
  return Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`fixtures/routes-${index}.ts`, text(index)]),
  )
}
