import { angular, angularWithSsr } from './angular.ts'
import { host } from './host.ts'
import {
  astro,
  atPort,
  nextJs,
  nuxt,
  portOption,
  reactRouter,
  scaffolder,
  svelteKit,
  tanStackStart,
  type Scaffold,
} from './scaffold.ts'

/* Dev servers of docs/hosts, with what their pages say. */

const page = '<!doctype html><title>The app</title><div id="root"></div>\n'
const script = "document.title = 'The app runs'\n"
const html = (src: string) => page.replace('\n', `<script type="module" src="${src}"></script>\n`)

/** Builds and pages on the server are tested by `frameworks.scaffold.test.ts`. */
function framework({ name, create, versions, config, docs, byHand, dev }: Scaffold): Scaffold {
  return host({
    name,
    create,
    node: 22,
    dev,
    ...(versions && { versions }),
    ...(docs ? { docs } : { config }),
    ...(byHand && { byHand }),
  })
}

const next = (major: number) =>
  host({
    name: `Next.js ${major}`,
    versions: [`next@${major}`, 'react@19', 'react-dom@19', 'typescript@5'], // its config is in TypeScript
    docs: 'next.md',
    create: nextJs.create,
    dev: nextJs.dev,
  })

export const hosts: Scaffold[] = [
  host({
    name: 'Create React App 5',
    versions: ['react-scripts@5', 'react@18', 'react-dom@18'],
    docs: 'create-react-app.md',
    files: { 'public/index.html': page, 'src/index.js': script },
    dev: (port) => ['env', `PORT=${port}`, 'npx', 'react-scripts', 'start'],
  }),
  host({
    name: 'Vue CLI 5',
    versions: ['@vue/cli-service@5', 'vue@3'],
    docs: 'vue-cli.md',
    files: { 'public/index.html': page, 'src/main.js': script },
    dev: (port) => ['npx', 'vue-cli-service', 'serve', ...portOption(port)],
  }),
  angular(20, '5.9'),
  angular(21, '5.9'),
  angular(22, '6.0'),
  angularWithSsr(22, '6.0'),
  next(15),
  next(16),
  host({
    name: 'Docusaurus 3',
    versions: ['@docusaurus/core@3', 'react@19', 'react-dom@19'],
    docs: 'docusaurus.md',
    dev: (port) => ['npx', 'docusaurus', 'start', '--no-open', ...portOption(port)],
  }),
  host({
    name: 'Parcel 2',
    versions: ['parcel@2'],
    docs: 'parcel.md',
    files: { 'src/index.html': html('index.js'), 'src/index.js': script },
    dev: (port) => ['npx', 'parcel', 'src/index.html', ...portOption(port)],
  }),
  host({
    name: 'Metro',
    node: 22,
    versions: ['metro@*', '@react-native/metro-config@*'],
    docs: 'metro.md',
    files: { 'index.js': script },
    dev: (port) => [
      ...['sh', '-c'],
      `sed -i s,expo/metro-config,@react-native/metro-config, metro.config.js && npx metro serve --port ${port}`,
    ],
  }),
  host({
    name: 'Expo 58',
    node: 22,
    versions: ['expo@58', 'react@19', 'react-native@0.87'], // its template has a preview of 0.88
    docs: 'metro.md',
    files: {
      'app.json': '{ "expo": { "name": "an-app", "slug": "an-app" } }',
      'index.js':
        "import { registerRootComponent } from 'expo'\nimport { Text } from 'react-native'\nregisterRootComponent(() => <Text>The app</Text>)\n",
    },
    dev: (port) => ['npx', 'expo', 'start', '--offline', ...portOption(port)],
  }),
  framework({ ...nuxt, name: 'Nuxt 4', versions: ['nuxt@4'], byHand: 'nuxt-by-hand' }),
  host({
    name: 'Farm 1',
    versions: ['@farmfe/core@1', '@farmfe/cli@1'],
    docs: 'frameworks.md ## Farm',
    files: { 'index.html': html('./src/index.js'), 'src/index.js': script },
    dev: (port) => ['npx', 'farm', 'start', ...portOption(port)],
  }),
  host({
    name: 'Bun.serve',
    versions: ['bun@1'],
    docs: 'fetch.md ## Bun and Deno',
    dev: (port) => [
      'env',
      `PORT=${port}`,
      `node_modules/@oven/bun-linux-${process.arch}/bin/bun`,
      'server.ts',
    ],
  }),
  host({
    name: 'Deno.serve',
    versions: ['deno@2'],
    docs: 'fetch.md ## Bun and Deno',
    dev: (port) => [
      `node_modules/@deno/linux-${process.arch}-glibc/deno`,
      'serve',
      '-A',
      ...portOption(port),
      'deno.ts',
    ],
  }),
  host({
    name: 'esbuild serve',
    versions: ['esbuild@*'],
    byHand: 'esbuild',
    dev(port) {
      const behind = String(Number(port) + 1)
      const serve = `npx unplugin-mock-api serve --port ${port} --pass-on http://localhost:${behind}`
      // It ends with its input.
      return [
        ...['sh', '-c'],
        `sleep 900 | npx esbuild src/index.js --bundle --outdir=public --servedir=public --serve=${behind} & ${serve}`,
      ]
    },
  }),
  host({
    name: 'SvelteKit 3',
    node: 22,
    versions: ['@sveltejs/kit@3', 'svelte@5', '@sveltejs/vite-plugin-svelte@*', 'vite@8'],
    docs: 'frameworks.md ## SvelteKit',
    isModule: true,
    files: {
      'src/app.html': '<!doctype html><head>%sveltekit.head%</head><body>%sveltekit.body%</body>\n',
      'src/routes/+page.svelte': '<h1>A page of SvelteKit</h1>\n',
    },
    dev: svelteKit.dev,
  }),
  framework({ ...astro, name: 'Astro 7', versions: ['astro@7'], docs: 'frameworks.md ## Astro' }),
  host({
    name: 'Ember 7',
    node: 22,
    config: 'vite.config.mjs',
    create: scaffolder('ember-cli@7', 'new an-app --directory % --skip-npm --skip-git'),
    dev: (port) => ['npx', 'vite', ...atPort(port)],
  }),
  framework(reactRouter('8')),
  framework(tanStackStart),
  host({
    name: 'SolidStart 2',
    node: 22,
    versions: ['@solidjs/start@2', '@solidjs/router@0', 'solid-js@1', 'vite@8'],
    docs: 'frameworks.md ## SolidStart',
    isModule: true,
    files: {
      'src/entry-client.jsx':
        "// @refresh reload\nimport { mount, StartClient } from '@solidjs/start/client'\nmount(() => <StartClient />, document.getElementById('app'))\n",
      'src/entry-server.jsx': `// @refresh reload
import { createHandler, StartServer } from '@solidjs/start/server'
const document = ({ assets, children, scripts }) => <html><head>{assets}</head><body><div id="app">{children}</div>{scripts}</body></html>
export default createHandler(() => <StartServer document={document} />)
`,
      'src/app.jsx':
        "import { Router } from '@solidjs/router'\nimport { FileRoutes } from '@solidjs/start/router'\nexport default () => <Router root={(props) => props.children}><FileRoutes /></Router>\n",
      'src/routes/index.jsx': 'export default () => <h1>A page of SolidStart</h1>\n',
    },
    dev: (port) => ['npx', 'vite', 'dev', ...atPort(port)],
  }),
]
