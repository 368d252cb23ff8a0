import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { mainScript } from './lib/answers.mjs'
import { makeProject, makeViteProject } from './lib/project.mjs'
import { works } from './lib/requests.mjs'
import { nodeVersion, timeRun, timeStart, timeViteBuild } from './lib/start-process.mjs'
import { median, spread } from './lib/stats.mjs'

const [page2] = works
const entries = ['vite', 'webpack', 'rspack', 'rsbuild', 'connect', 'fetch', 'fixture']

/** What the plugin adds to the start of each host, to the import of a config, and to a build. */
export async function start({ quick, log }) {
  const rounds = Number(process.env.BENCH_ROUNDS ?? (quick ? 5 : 15))
  return [
    await starts({ rounds, log }),
    imports({ rounds: rounds * 2, log }),
    builds({ rounds: Math.ceil(rounds / 2), log }),
  ]
}

const page = { page: 2, per_page: 3, total: 8, total_pages: 3, has_more: true }
const data = [4, 5, 6].map((id) => ({ id, name: `Item ${id}` }))
const itemsPage2 = `{ path: /items, response: { body: ${JSON.stringify({ ...page, data })} } }`

/** What answers in a project: nothing of ours, the starter templates, or a small application's fixture files. */
const ways = [
  { way: 'alone' },
  { way: 'alone again (A/A)' },
  { way: 'templates', isOurs: true },
  { way: '40 YAML routes', isOurs: true, files: yamlRoutes() },
]

/** Each subject is compared with the same command without the plugin, in the same round. */
const subjects = [
  ...['vite', 'webpack', 'rspack', 'rsbuild'].flatMap((host) =>
    ways.map((way) => ({ host, base: 'alone', ...way, root: makeHostProject(host, way) })),
  ),
  ...ways.map((way) => ({
    host: 'vite',
    base: 'alone, the first start ever',
    ...way,
    way: `${way.way}, the first start ever`,
    isFirst: true,
    root: makeHostProject('vite', way),
  })),
  ...[
    { way: 'an empty mock middleware', plugin: 'floor' },
    { way: '100 TypeScript fixtures', plugin: 'ours', files: typescriptFixtures() },
    { way: 'vite-plugin-mock-dev-server', plugin: 'vite-plugin-mock-dev-server' },
    { way: 'vite-plugin-fake-server', plugin: 'vite-plugin-fake-server' },
  ].map(({ way, plugin, files }) => ({
    host: 'vite',
    base: 'alone',
    way,
    isOurs: true,
    root: () => makeViteProject(plugin, files),
  })),
]

async function starts({ rounds, log }) {
  const roots = subjects.map(({ root }) => root())
  const times = subjects.map(() => [])
  for (let round = -1; round < rounds; round++) {
    // There and back, since what ran before affects the caches of the machine.
    const turns = round % 2 === 0 ? [...subjects.entries()] : [...subjects.entries()].reverse()
    for (const [index, { host, way, isOurs, isFirst }] of turns) {
      log(`Start: round ${round + 1} of ${rounds}, ${host}, ${way}`)
      if (isFirst) forgetStarts(roots[index])
      const moment = await timeStart(host, roots[index], page2, isOurs)
      if (round >= 0) times[index].push(moment)
    }
  }
  const column = (index, unit) => times[index].map((moment) => moment[unit])
  const rows = subjects.map(({ host, way, base }, index) => {
    const other = subjects.findIndex((one) => one.host === host && one.way === base)
    return [
      host,
      way,
      ...['wall', 'cpu'].flatMap((unit) => [
        median(column(index, unit)).toFixed(0),
        index === other ? '1' : ratios(column(index, unit), column(other, unit)),
      ]),
    ]
  })
  return {
    title: `Start of a dev server by its command, until the first answer: Node ${nodeVersion()}`,
    head: ['Command', 'Answers', 'ms', 'Times the command alone (quartiles)', 'CPU ms', 'Times its CPU'],
    rows,
  }
}

/** Deletes what Vite and Node have kept of earlier starts. @param {string} root */
function forgetStarts(root) {
  for (const folder of ['node_modules/.vite', 'node_modules/.tmp'])
    rmSync(join(root, folder), { recursive: true, force: true })
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

/** Makes a project of a host, with the plugin or without any. */
function makeHostProject(host, { isOurs, files = {} }) {
  if (host === 'vite') return () => makeViteProject(isOurs ? 'ours' : 'none', files)
  const plugins = isOurs ? 'plugins: [mockApi()],' : ''
  const server = `devServer: { host: '127.0.0.1', port: process.env.PORT }`
  const config = {
    webpack: `mode: 'development', entry: './src/main.js', ${plugins} ${server}`,
    rspack: `mode: 'development', entry: './src/main.js', ${plugins} ${server}`,
    rsbuild: `source: { entry: { index: './src/main.js' } }, ${plugins}`,
  }[host]
  const imports = isOurs ? `import mockApi from 'unplugin-mock-api/${host}'\n` : ''
  return () =>
    makeProject({
      'package.json': '{ "type": "module", "private": true }\n',
      'src/main.js': mainScript,
      [`${host}.config.mjs`]: `${imports}export default { ${config} }\n`,
      ...files,
    })
}

/** 40 routes in 8 files, as a small application has them. */
function yamlRoutes() {
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
