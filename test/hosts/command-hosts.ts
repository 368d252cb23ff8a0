/* Dev servers as people start them: by the command of each host, with a config of one line. Needs `npm run build`. */
import { onTestFinished, vi } from 'vitest'
import { sendTo } from '../http.ts'
import { binOf, runCommand } from './command.ts'
import { projectOfTest } from './of-test.ts'
import { createProjectInPackage } from './test-project.ts'

export interface CommandHost {
  name: string
  command: [script: string, ...args: string[]]
  config: [file: string, text: string]
  /** The paths where the page of the project is. */
  pages?: string[]
  env?: Record<string, string>
}

const atAnyPort = ['--host', '127.0.0.1', '--port', '0']
export const rspackBin = binOf('@rspack/cli', 'rspack')
export const rsbuildBin = binOf('@rsbuild/core', 'rsbuild')
export const rspackPlugins = "[new HtmlRspackPlugin({ template: './index.html' }), mockApi()]"
export const rspackHead = `import { HtmlRspackPlugin } from '@rspack/core'\nimport mockApi from 'unplugin-mock-api/rspack'\n`
export const rspackConfig = `${rspackHead}export default { entry: './main.js', plugins: ${rspackPlugins} }`
export const rsbuildConfig = `import mockApi from 'unplugin-mock-api/rsbuild'
export default { plugins: [mockApi()], source: { entry: { index: './main.js' } }, html: { template: './index.html' } }`
export const viteConfig = `import mockApi from 'unplugin-mock-api/vite'\nexport default { plugins: [mockApi()] }\n`
const webpackConfig = `import mockApi from 'unplugin-mock-api/webpack'
export default { mode: 'development', entry: './main.js', plugins: [mockApi()] }`

export const viteServe = (name: string): CommandHost => ({
  name,
  command: [binOf(name, 'vite'), ...atAnyPort],
  config: ['vite.config.mjs', viteConfig],
})
export const webpackServe = (
  devServer: string,
  config: CommandHost['config'] = ['webpack.config.mjs', webpackConfig],
): CommandHost => ({
  name: `webpack serve with ${devServer}, ${config[0]}`,
  command: [binOf('webpack-cli', 'webpack-cli'), 'serve', ...atAnyPort],
  config,
  env: { WEBPACK_DEV_SERVER_PACKAGE: devServer },
})
export const rspackDev = (text = rspackConfig, pages = ['/']): CommandHost => ({
  name: `rspack dev, pages ${pages.join()}`,
  command: [rspackBin, 'dev', ...atAnyPort],
  config: ['rspack.config.mjs', text],
  pages,
})
export const rsbuildDev: CommandHost = {
  name: 'rsbuild dev',
  command: [rsbuildBin, 'dev', '--host', '127.0.0.1'],
  config: ['rsbuild.config.ts', rsbuildConfig],
  pages: ['/'],
}

/** Starts the command in a project of the test, and resolves when its fixtures are loaded. */
export async function startCommand({ command, config: [file, text], env = {} }: CommandHost, files = {}) {
  const project = projectOfTest({ ...files, [file]: text }, createProjectInPackage)
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  const running = runCommand(project.root, ...command)
  vi.unstubAllEnvs()
  onTestFinished(async () => void (await running.stop('SIGKILL')))
  const [, origin] = await running.seen(/(http:\/\/(?:localhost|127\.0\.0\.1):\d+)/)
  await running.seen(/\d routes|ready/)
  return {
    ...{ running, project },
    send: sendTo(origin!),
    open: sendTo(origin!, { initiator: 'navigation' }),
  }
}
