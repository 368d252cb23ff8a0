/*
 * How long a newcomer waits for the first mocked answer: from an empty folder with an empty npm cache to `/items?page=3`, in
 * four fresh projects. `npm run build && npx jiti scripts/first-answer.ts` prints a table. The package is packed before, and
 * installed from that file; everything else comes from the registry.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { pack } from '../test/installed/install.ts'
import { freePort } from '../test/hosts/serve.ts'
import { run, start, type Terminal } from '../test/scaffolds/command.ts'

interface Way {
  name: string
  /** Each is a command that a newcomer types, under the step that it belongs to. `%` is the packed package. */
  commands: Partial<Record<'create' | 'install' | 'package' | 'plugin', string>>
  /** What a newcomer writes: files that are there already are edited. */
  write?: Record<string, (before: string) => string>
  dev: string
}

const steps = ['create', 'install', 'package', 'plugin'] as const
const ours = {
  install: 'npm install',
  package: 'npm install --save-dev %',
  plugin: 'npx unplugin-mock-api init --yes',
}
const vite = 'npm create vite@latest app -- --template react-ts --no-interactive'

const webpackFiles = {
  'src/index.js': "document.body.append('The page of webpack')\n",
  'webpack.config.js': "module.exports = {\n  mode: 'development',\n};\n",
}

const ways: Way[] = [
  { name: 'Vite, react-ts', commands: { create: vite, ...ours }, dev: 'npm run dev --' },
  {
    name: 'Rsbuild, react-ts',
    commands: { create: 'npm create rsbuild@~2.1.0 -- --dir app --template react-ts', ...ours },
    dev: 'npm run dev --',
  },
  {
    name: 'Rspack, react-ts',
    commands: { create: 'npm create rspack@latest -- --dir app --template react-ts', ...ours },
    dev: 'npm run dev --',
  },
  {
    name: 'webpack by hand',
    commands: {
      create: 'npm init -y',
      ...ours,
      install: 'npm install --save-dev webpack@5 webpack-cli webpack-dev-server@5',
    },
    dev: 'npx webpack serve',
  },
  {
    name: 'Vite, react-ts, with vite-plugin-mock-dev-server',
    commands: {
      create: vite,
      install: 'npm install',
      package: 'npm install --save-dev vite-plugin-mock-dev-server',
    },
    write: {
      'vite.config.ts': (before) =>
        before
          .replace('\n\n', "\nimport { mockDevServerPlugin } from 'vite-plugin-mock-dev-server'\n\n")
          .replace('react()', "react(), mockDevServerPlugin({ prefix: '/items' })"),
      'mock/items.mock.ts': () => `import { defineMock } from 'vite-plugin-mock-dev-server'

export default defineMock({
  url: '/items',
  validator: { query: { page: '3' } },
  body: {
    page: 3,
    per_page: 3,
    total: 8,
    total_pages: 3,
    has_more: false,
    data: [
      { id: 7, name: 'Item 7' },
      { id: 8, name: 'Item 8' },
    ],
  },
})
`,
    },
    dev: 'npm run dev --',
  },
]

const packed = mkdtempSync(join(tmpdir(), 'packed-'))
const tarball = await pack(packed)
const chosen = process.argv.slice(2)
try {
  console.log(
    `| Project | ${steps.join(' | ')} | first answer | seconds in all | commands | changed lines | new files |`,
  )
  console.log(`| --- |${' --- |'.repeat(steps.length + 5)}`)
  for (const way of ways)
    if (chosen.length === 0 || chosen.some((word) => way.name.includes(word))) console.log(await measure(way))
} finally {
  rmSync(packed, { recursive: true })
}

async function measure(way: Way): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'first-answer-'))
  const cwd = join(folder, 'app')
  const isOurOwn = way.commands.create === 'npm init -y'
  const env = { npm_config_cache: join(folder, 'npm-cache'), npm_config_yes: 'true' }
  try {
    const seconds: number[] = []
    for (const step of steps) {
      const command = way.commands[step]
      const begin = performance.now()
      if (step === 'create' && isOurOwn) writeAll(cwd, webpackFiles)
      const place = step === 'create' && !isOurOwn ? folder : cwd
      if (command) await run(command.replace('%', tarball).split(' '), { cwd: place, env })
      seconds.push((performance.now() - begin) / 1000)
      if (step === 'install') await commit(cwd)
    }
    for (const [name, edit] of Object.entries(way.write ?? {})) write(join(cwd, name), edit)
    seconds.push(await secondsToAnswer(way.dev, { cwd, env }))
    const commands = Object.keys(way.commands).length + 1
    const total = seconds.reduce((sum, each) => sum + each, 0)
    const cells = [...seconds, total].map((each) => each.toFixed(1))
    return `| ${[way.name, ...cells, commands, ...(await changes(cwd))].join(' | ')} |`
  } finally {
    rmSync(folder, { recursive: true, maxRetries: 3 })
  }
}

async function secondsToAnswer(dev: string, terminal: Terminal): Promise<number> {
  const port = await freePort()
  const begin = performance.now()
  const server = start([...dev.split(' '), '--port', String(port)], terminal)
  try {
    while (!server.hasEnded()) {
      const response = await fetch(`http://localhost:${port}/items?page=3`).catch(() => undefined)
      const text = await response?.text()
      if (text?.includes('"has_more":false') || text?.includes('"has_more": false'))
        return (performance.now() - begin) / 1000
      await after(20)
    }
    throw new Error(server.output())
  } finally {
    await server.stop()
  }
}

/** The lines of the project's own files that are different, without the lock file, and the new files. */
async function changes(cwd: string): Promise<[lines: string, files: string]> {
  await run(['git', 'add', '--all'], { cwd })
  const numbers = await run(['git', 'diff', '--cached', '--numstat', '--', '.', ':!package-lock.json'], {
    cwd,
  })
  const added = await run(['git', 'diff', '--cached', '--name-only', '--diff-filter=A'], { cwd })
  const isNew = new Set(added.split('\n').filter(Boolean))
  const rows = numbers
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t') as [string, string, string])
  const edited = rows.filter(([, , name]) => !isNew.has(name))
  const written = rows.filter(([, , name]) => isNew.has(name))
  const show = (list: typeof rows) =>
    list.map(([plus, minus, name]) => `${name} +${plus} -${minus}`).join(', ')
  return [show(edited), show(written)]
}

async function commit(cwd: string): Promise<void> {
  writeFileSync(join(cwd, '.gitignore'), 'node_modules\ndist\n')
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.org']
  await run(['git', 'init', '--quiet'], { cwd })
  await run(['git', 'add', '--all'], { cwd })
  await run(['git', ...author, 'commit', '--quiet', '-m', 'fresh'], { cwd })
}

function writeAll(folder: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) write(join(folder, name), () => text)
}

function write(path: string, edit: (before: string) => string): void {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, edit(readIfThere(path)))
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
