import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './command.ts'

/** A project as a newcomer gets it, and what is known about it. */
export interface Scaffold {
  /** In the name of its tests and of its folder. */
  name: string
  /** Makes the project in a folder. */
  create: (folder: string) => Promise<void>
  packageManager?: 'npm' | 'pnpm'
  /** The major version of Node that it needs, if that is not the one that runs the tests. */
  node?: 22
  /** Packages of another version than the scaffolder's. */
  versions?: string[]
  /** The config that `init` adds the plugin to. */
  config: string
  /** A folder in `apps/` with the config as docs/hosts/frameworks.md has it. Without it, `init` adds the plugin. */
  byHand?: string
  /** A page of docs/hosts, whose files are added instead; or one of its sections, as `frameworks.md ## Astro`. */
  docs?: string
  dev: (port: string) => string[]
  page: { path: string; text: string | RegExp }
  /** The production build. `caches` change what the next build is called. Without it, nothing is built. */
  build?: { command: string[]; output: string; caches?: string[] }
  /** It has TypeScript; what has to be installed besides, so that every entry finds the types that it names. */
  types?: string[]
  /** A folder in `apps/` whose files are added for the dev server alone. */
  served?: string
  /** A file of it that has the address of the dev server, as `http://localhost:3000`. */
  addressed?: string
  /** How often its dev server says which routes it has. */
  announced?: number
}

export const portOption = (port: string) => ['--port', port]
export const atPort = (port: string) => ['--host', 'localhost', ...portOption(port)]

/** A scaffolder from the registry. `args` has `%` where the name of the folder goes. */
export function scaffolder(name: string, args: string): Scaffold['create'] {
  return async (folder) => {
    const cwd = dirname(folder)
    const filled = args.split(' ').map((word) => word.replace('%', folder.slice(cwd.length + 1)))
    await run(['npm', 'exec', '--yes', '--prefer-offline', '--', name, ...filled], { cwd })
  }
}

/** A project of `apps/`, which has what the scaffolder's template has. Their scaffolders ask servers besides the registry. */
function app(name: string): Scaffold['create'] {
  return (folder) => Promise.resolve(copyApp(name, folder))
}

export function copyApp(name: string, folder: string): void {
  cpSync(fileURLToPath(new URL(`apps/${name}`, import.meta.url)), folder, { recursive: true })
}

/** Replaces a text that a file must have. */
export function edit(path: string, before: string, after: string): void {
  const text = readFileSync(path, 'utf8')
  if (!text.includes(before)) throw new Error(`${path} has no ${before}:\n${text}`)
  writeFileSync(
    path,
    text.replace(before, () => after),
  )
}

export function writeFiles(folder: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

const types = ['@types/node@20', 'msw@2', '@playwright/test@1']

function vite(template: string, text: string): Scaffold {
  return {
    name: `create-vite ${template}`,
    create: scaffolder('create-vite@9', `% --template ${template} --no-interactive`),
    config: 'vite.config.ts',
    dev: (port) => ['npx', 'vite', ...atPort(port)],
    page: { path: '/', text },
    build: { command: ['npx', 'vite', 'build'], output: 'dist' },
    types,
  }
}

const rspack: Scaffold = {
  name: 'create-rspack react-ts',
  create: scaffolder('create-rspack@2', '--dir % --template react-ts'),
  config: 'rspack.config.ts',
  dev: (port) => ['npx', 'rspack', 'dev', ...portOption(port)],
  page: { path: '/', text: /Rspack/ },
  build: { command: ['npx', 'rspack', 'build'], output: 'dist' },
  types,
}

const rsbuild: Scaffold = {
  name: 'create-rsbuild react-ts',
  create: scaffolder('create-rsbuild@~2.1.0', '--dir % --template react-ts'),
  config: 'rsbuild.config.ts',
  dev: (port) => ['npx', 'rsbuild', 'dev', ...portOption(port)],
  page: { path: '/', text: /Rsbuild/ },
  build: { command: ['npx', 'rsbuild', 'build'], output: 'dist' },
  types,
}

/** As the guide of webpack has it: it has no scaffolder of its own. */
function webpack(devServer: string): Scaffold {
  return {
    name: `webpack with webpack-dev-server ${devServer}`,
    create(folder) {
      const devDependencies = { webpack: '^5', 'webpack-cli': '*', 'webpack-dev-server': `^${devServer}` }
      writeFiles(folder, {
        'package.json': JSON.stringify({ name: 'webpack-by-hand', private: true, devDependencies }),
        'public/index.html': '<!doctype html><title>webpack</title><script src="main.js" defer></script>\n',
        'src/index.js': "document.body.append('The page of webpack')\n",
        'webpack.config.js':
          "module.exports = {\n  mode: 'development',\n  devServer: { static: 'public' },\n};\n",
      })
      return Promise.resolve()
    },
    config: 'webpack.config.js',
    dev: (port) => ['npx', 'webpack', 'serve', ...portOption(port)],
    page: { path: '/', text: 'The page of webpack' },
    build: { command: ['npx', 'webpack', '--mode', 'production'], output: 'dist' },
  }
}

export const svelteKit: Scaffold = {
  name: 'SvelteKit 2',
  async create(folder) {
    await scaffolder('sv@0.17', 'create % --template minimal --types ts --no-add-ons --no-install')(folder)
    // By default the time is in every build.
    edit(
      join(folder, 'vite.config.ts'),
      'adapter: adapter()',
      "adapter: adapter(), version: { name: 'fixed' }",
    )
  },
  config: 'vite.config.ts',
  dev: (port) => ['npx', 'vite', 'dev', ...atPort(port)],
  page: { path: '/', text: 'Welcome to SvelteKit' },
  build: { command: ['npx', 'vite', 'build'], output: '.svelte-kit/output' },
  served: 'sveltekit-served',
  announced: 1,
}

export const astro: Scaffold = {
  name: 'Astro 5',
  create: app('astro'),
  versions: ['astro@5'],
  config: 'astro.config.mjs',
  dev: (port) => ['npx', 'astro', 'dev', ...atPort(port)],
  page: { path: '/', text: 'A page of Astro' },
  build: { command: ['npx', 'astro', 'build'], output: 'dist' },
  served: 'astro-served',
  announced: 1,
}

export const nuxt: Scaffold = {
  name: 'Nuxt 4.4',
  create: app('nuxt'),
  versions: ['nuxt@4.4.5'],
  config: 'nuxt.config.js',
  dev: (port) => ['npx', 'nuxt', 'dev', ...atPort(port)],
  page: { path: '/', text: 'A page of Nuxt' },
  build: {
    command: ['npx', 'nuxt', 'build'],
    output: '.output/public',
    caches: ['.nuxt', 'node_modules/.cache'],
  },
  served: 'nuxt-served',
  addressed: 'server/plugins/mock-api.js',
  announced: 1,
}

/** Its packages have to be dependencies, each of the same version. */
export function reactRouter(version: string): Scaffold {
  const ofRouter = { 'react-router': version, '@react-router/dev': version, '@react-router/node': version }
  const others = { react: '19', 'react-dom': '19', isbot: '5', vite: '8' }
  return {
    name: `React Router ${version}`,
    create(folder) {
      copyApp('react-router', folder)
      const dependencies = { ...ofRouter, ...others }
      const description = { name: 'with-react-router', private: true, type: 'module', dependencies }
      writeFiles(folder, { 'package.json': JSON.stringify(description) })
      return Promise.resolve()
    },
    config: 'vite.config.js',
    dev: (port) => ['npx', 'react-router', 'dev', ...atPort(port)],
    page: { path: '/', text: 'A page of React Router' },
    build: { command: ['npx', 'react-router', 'build'], output: 'build' },
    served: 'react-router-served',
    announced: 1,
  }
}

export const tanStackStart: Scaffold = {
  name: 'TanStack Start 1',
  create: app('tanstack-start'),
  node: 22,
  versions: [
    '@tanstack/react-start@1',
    '@tanstack/react-router@1',
    'react@19',
    'react-dom@19',
    'vite@8',
    '@vitejs/plugin-react@6',
  ],
  config: 'vite.config.js',
  dev: (port) => ['npx', 'vite', 'dev', ...atPort(port)],
  page: { path: '/', text: 'A page of TanStack Start' },
  build: { command: ['npx', 'vite', 'build'], output: 'dist/client' },
  served: 'tanstack-start-served',
  announced: 1,
}

/** Its server code runs in a thread. */
const tanStackNitro: Scaffold = {
  ...tanStackStart,
  name: 'TanStack Start 1 with Nitro',
  create(folder) {
    copyApp('tanstack-start', folder)
    copyApp('tanstack-start-nitro', folder)
    return Promise.resolve()
  },
  versions: [...tanStackStart.versions!, 'nitro@3'],
  addressed: 'src/server.js',
  build: { ...tanStackStart.build!, output: '.output/public' },
}

export const nextJs: Scaffold = {
  name: 'Next.js 16',
  create: app('next'),
  versions: ['next@16', 'react@19', 'react-dom@19'],
  config: 'instrumentation.js',
  byHand: 'next-by-hand',
  dev: (port) => ['npx', 'next', 'dev', ...portOption(port)],
  page: { path: '/', text: 'A page of Next.js' },
}

export const bundlers: Scaffold[] = [
  vite('vanilla-ts', 'Get started'),
  vite('react-ts', 'Get started'),
  vite('vue-ts', 'Get started'),
  rspack,
  rsbuild,
  webpack('5.2'),
  { ...vite('react-ts', 'Get started'), name: 'create-vite react-ts, pnpm', packageManager: 'pnpm' },
  { ...rsbuild, name: 'create-rsbuild react-ts, pnpm', packageManager: 'pnpm' },
  { ...webpack('6.1'), node: 22 },
]

export const frameworks: Scaffold[] = [
  svelteKit,
  astro,
  { ...astro, name: 'Astro 7', node: 22, byHand: 'astro-by-hand', versions: ['astro@7'] },
  nuxt,
  reactRouter('7.18.4'),
  { ...reactRouter('8.4.0'), node: 22 },
  tanStackStart,
  tanStackNitro,
  { ...nuxt, name: 'Nuxt 4.5', node: 22, byHand: 'nuxt-by-hand', versions: ['nuxt@4.5'] },
]

export const storybook: Scaffold = {
  name: 'Storybook',
  create: app('storybook'),
  config: '.storybook/main.js',
  dev: (port) => ['npx', 'storybook', 'dev', '--ci', '--no-version-updates', ...atPort(port)],
  byHand: 'storybook',
  page: { path: '/iframe.html?id=list--last-page', text: 'Item 8' },
  announced: 1,
}
