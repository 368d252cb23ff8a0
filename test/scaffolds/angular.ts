import { join } from 'node:path'
import { host } from './host.ts'
import { atPort, edit, writeFiles, type Scaffold } from './scaffold.ts'

export function angular(major: number, typescript: string): Scaffold {
  const names = ['build', 'cli', 'common', 'compiler', 'compiler-cli', 'core', 'platform-browser']
  const build = {
    builder: '@angular/build:application',
    options: {
      browser: 'src/main.ts',
      index: 'src/index.html',
      tsConfig: 'tsconfig.json',
    },
    configurations: { development: { optimization: false } },
  }
  const serve = {
    builder: '@angular/build:dev-server',
    options: { buildTarget: 'app:build:development', proxyConfig: 'proxy.conf.mjs' },
  }
  const app = `import { Component, provideZonelessChangeDetection } from '@angular/core'
@Component({ selector: 'app-root', template: '<h1>A page of Angular</h1>' })
export class App {}
export const config = { providers: [provideZonelessChangeDetection()] }
`
  return host({
    name: `Angular ${major}`,
    ...(major > 21 && { node: 22 }),
    versions: [
      ...names.map((name) => `@angular/${name}@${major}`),
      `typescript@${typescript}`,
      'rxjs@7',
      'tslib@2',
    ],
    docs: 'angular.md',
    files: {
      'angular.json': JSON.stringify({
        version: 1,
        projects: {
          app: { projectType: 'application', root: '', sourceRoot: 'src', architect: { build, serve } },
        },
      }),
      'tsconfig.json':
        '{ "compilerOptions": { "target": "es2022", "module": "preserve", "moduleResolution": "bundler", "lib": ["es2022", "dom"] }, "files": ["src/main.ts"] }',
      'src/index.html': '<!doctype html><title>The app</title><app-root></app-root>\n',
      'src/app.ts': app,
      'src/main.ts':
        "import { bootstrapApplication } from '@angular/platform-browser'\nimport { App, config } from './app'\nvoid bootstrapApplication(App, config)\n",
    },
    dev: (port) => ['npx', 'ng', 'serve', ...atPort(port)],
  })
}

/** Its server asks for a route while it renders the page. */
export function angularWithSsr(major: 22, typescript: string): Scaffold {
  const { name, versions = [], ...given } = angular(major, typescript)
  const others = ['platform-server', 'router', 'ssr'].map((name) => `@angular/${name}@${major}`)
  return {
    ...given,
    name: `${name} with SSR`,
    async create(folder) {
      await given.create(folder)
      edit(
        join(folder, 'angular.json'),
        '"browser":',
        '"server":"src/main.server.ts","outputMode":"server","ssr":{"entry":"src/server.ts"},"browser":',
      )
      edit(join(folder, 'tsconfig.json'), '"files": [', '"files": ["src/main.server.ts", "src/server.ts", ')
      writeFiles(folder, filesOfServer)
    },
    versions: [...versions, ...others, 'express@5', '@types/express@5', '@types/node@22'],
    page: { path: '/', text: 'The last is Item 8' },
  }
}

/** `.npmrc`: Angular's packages want each other's exact version, and are not always published together. */
const filesOfServer = {
  '.npmrc': 'legacy-peer-deps=true\n',
  'src/app.ts': `import { HttpClient, provideHttpClient, withFetch } from '@angular/common/http'
import { Component, inject, provideZonelessChangeDetection, signal } from '@angular/core'
@Component({ selector: 'app-root', template: '<h1>The last is {{ last() }}</h1>' })
export class App {
  last = signal('unknown')
  constructor() {
    inject(HttpClient)
      .get<{ data: { name: string }[] }>('/items?page=3')
      .subscribe(({ data }) => this.last.set(data.at(-1)!.name))
  }
}
export const config = { providers: [provideZonelessChangeDetection(), provideHttpClient(withFetch())] }
`,
  'src/main.server.ts': `import { mergeApplicationConfig } from '@angular/core'
import { bootstrapApplication, type BootstrapContext } from '@angular/platform-browser'
import { provideServerRendering, RenderMode, withRoutes } from '@angular/ssr'
import { App, config } from './app'
const routes = withRoutes([{ path: '**', renderMode: RenderMode.Server }])
const merged = mergeApplicationConfig(config, { providers: [provideServerRendering(routes)] })
export default (context: BootstrapContext) => bootstrapApplication(App, merged, context)
`,
  'src/server.ts': `import { AngularNodeAppEngine, createNodeRequestHandler, writeResponseToNodeResponse } from '@angular/ssr/node'
import express from 'express'
const app = express()
const engine = new AngularNodeAppEngine()
app.use(async (req, res, next) => {
  const response = await engine.handle(req)
  if (response) await writeResponseToNodeResponse(response, res)
  else next()
})
export const reqHandler = createNodeRequestHandler(app)
`,
}
