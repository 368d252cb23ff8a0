/* The pages of docs/hosts: each config and each server is started as it is written, and asked. Needs `npm run build`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCommand } from '../hosts/command.ts'
import { projectOfTest } from '../hosts/of-test.ts'
import { freePort } from '../hosts/serve.ts'
import { createProjectInPackage } from '../hosts/test-project.ts'
import { sendTo } from '../http.ts'
import { hosts } from '../scaffolds/hosts.ts'
import { blocksOf, packageRoot, typed } from './pages.ts'

const commands: Record<string, (port: string) => string[]> = {
  'vite.config.ts': (port) => ['vite', '--host', '127.0.0.1', '--port', port, '--strictPort'],
  'webpack.config.mjs': (port) => ['webpack', 'serve', '--host', '127.0.0.1', '--port', port],
  'rspack.config.mjs': (port) => ['rspack', 'dev', '--host', '127.0.0.1', '--port', port],
  'rsbuild.config.ts': (port) => ['rsbuild', 'dev', '--host', '127.0.0.1', '--port', port],
}

interface Example {
  page: string
  file: string
  text: string
  /** The first config of the page, which a server beside it uses. */
  config: { file: string; text: string } | undefined
}

const pages = ['vite.md', 'webpack.md', 'rspack.md', 'rsbuild.md', 'connect.md', 'fetch.md']
const examples = pages.flatMap((page) => {
  const blocks = blocksOf(`docs/hosts/${page}`).flatMap(({ file, text }) =>
    file !== undefined && typed.some((extension) => file.endsWith(`.${extension}`)) ? [{ file, text }] : [],
  )
  const config = blocks.find(({ file }) => file in commands)
  return blocks.map((block): Example => ({ page, ...block, config }))
})
const isServer = ({ text }: Example) => /\b(listen\(|start\(\))/.test(text)

function createProject({ file, text, config }: Example) {
  const files = {
    ...(config && { [config.file]: config.text }),
    [file]: text,
    'index.html': '<!doctype html><title>the app</title>',
    'src/index.js': '',
    'fixtures/items.yaml': readFileSync(join(packageRoot, 'fixtures/items.yaml'), 'utf8'),
  }
  return projectOfTest(files, createProjectInPackage)
}

/** Starts a command, asks it until it answers, and ends it. */
async function answerOf(args: [string, ...string[]], cwd: string, port: string, url: string) {
  const child = runCommand(cwd, ...args)
  const send = sendTo(`http://127.0.0.1:${port}`)
  let hasEnded = false
  void child.ended.then(() => (hasEnded = true))
  try {
    while (!hasEnded) {
      const answer = await send({ url }).catch(() => undefined)
      if (answer?.headers['x-mock-route']) return answer.text
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    throw new Error(`It ended before it answered: ${child.output()}`)
  } finally {
    await child.stop()
  }
}

const lastPage = { page: 3, has_more: false }

const configs = examples.filter(({ file }) => file in commands)
it.each(configs)('$page: $file, $text', async (example) => {
  const port = await freePort()
  const [name, ...args] = commands[example.file]!(port)
  const bases = [...example.text.matchAll(/base: '(\/\w+)'/g)].map(([, base]) => base!)
  const project = createProject(example)
  for (const base of bases.length > 0 ? bases : ['']) {
    const command: [string, ...string[]] = [join(packageRoot, 'node_modules/.bin', name!), ...args]
    const text = await answerOf(command, project.root, port, `${base}/items?page=3`)
    expect(JSON.parse(text)).toMatchObject(lastPage)
  }
})

const servers = examples.filter((example) => isServer(example) && example.file !== 'once.mjs')
it.each(servers)('$page: $file', async (example) => {
  const port = await freePort()
  const text = example.text.replace(/\b(3000|8080)\b/, port)
  const project = createProject({ ...example, file: example.file.replace(/\.js$/, '.mjs'), text })
  const answer = await answerOf([example.file.replace(/\.js$/, '.mjs')], project.root, port, '/items?page=3')
  expect(JSON.parse(answer)).toMatchObject(lastPage)
})

it('connect.md: a script that closes its middleware ends', async () => {
  const example = examples.find(({ file }) => file === 'once.mjs')!
  const project = createProject({ ...example, text: example.text.replaceAll('3000', await freePort()) })
  const child = runCommand(project.root, 'once.mjs')
  await child.ended
  expect(child.output()).toBe('false\n')
})

it.each(['worker.ts', 'app.ts', 'app/api/[...path]/route.ts'])('fetch.md: %s', async (file) => {
  const example = examples.find((candidate) => candidate.file === file)!
  const project = createProject(example)
  type Fetch = (request: Request) => Promise<Response>
  const module = (await import(join(project.root, file))) as { default?: { fetch: Fetch }; GET?: Fetch }
  const ask = module.GET ?? ((request: Request) => module.default!.fetch(request))
  const base = module.GET ? '/api' : ''
  const found = await ask(new Request(`http://localhost${base}/orders/1`))
  expect(await found.json()).toMatchObject({ id: 7 })
  expect((await ask(new Request(`http://localhost${base}/other`))).status).toBe(404)
})

it('every block of a host page is run', () => {
  const run = [...configs, ...servers].map(({ page, file }) => `${page} ${file}`)
  const others = [
    ...['once.mjs', 'worker.ts', 'app.ts', 'app/api/[...path]/route.ts', 'server.ts', 'deno.ts'],
    'scenario.ts',
  ]
  const left = examples.filter(({ page, file }) => !run.includes(`${page} ${file}`) && !others.includes(file))
  expect(left.map(({ file }) => file)).toEqual(['.storybook/middleware.js'])
  // Of the others, `npm run test:hosts` installs the hosts.
  const installed = hosts.flatMap(({ docs }) => docs?.split(' ').slice(0, 1) ?? [])
  expect(readdirSync(join(packageRoot, 'docs/hosts')).toSorted()).toEqual(
    [...new Set([...pages, ...installed])].toSorted(),
  )
})
