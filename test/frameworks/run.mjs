/*
 * Frameworks on Vite, each as a minimal app: installed with the packed package, started with its own command, asked over
 * HTTP, and stopped. `npm run test:frameworks` runs all, `npm run test:frameworks -- astro nuxt` these two.
 */
import { createServer } from 'node:net'
import { join } from 'node:path'
import * as checks from './checks.mjs'
import { frameworks } from './frameworks.mjs'
import { start } from './process.mjs'
import { install, manifestOf, pack } from './project.mjs'

const chosen = process.argv.slice(2)
const unknown = chosen.find((name) => !frameworks.some((framework) => framework.name === name))
if (unknown)
  throw new Error(`No framework "${unknown}". Known: ${frameworks.map(({ name }) => name).join(', ')}`)

const tarball = await pack()
for (const framework of frameworks) {
  if (chosen.length > 0 && !chosen.includes(framework.name)) continue
  const begin = performance.now()
  const report = { version: '?', done: [], error: undefined, output: '' }
  await tryOut(framework, report).catch((error) => (report.error = error))
  const { version, done, error } = report
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  console.log(`${framework.name} ${version}: ${done.join(', ')}: ${error ? 'failed' : 'ok'} (${seconds} s)`)
  if (!error) continue
  console.error(`${error.stack}\n${error.cause ?? report.output}`)
  process.exitCode = 1
}

async function tryOut(framework, report) {
  const app = await install(framework.name, tarball)
  report.version = manifestOf(app, framework.package).version
  const port = await freePort()
  const { package: packageName, bin: name, args } = framework.start
  const { bin } = manifestOf(app, packageName)
  const script = join(app, 'node_modules', packageName, typeof bin === 'string' ? bin : bin[name])
  const server = start(process.execPath, [script, ...args(port)], app, framework.environment)
  const url = (path) => `http://127.0.0.1:${port}${path}`
  try {
    for (const check of framework.checks) {
      await checks[check]({ ...framework, app, url, server })
      report.done.push(check.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))
    }
  } finally {
    await server.stop()
    report.output = server.output()
  }
}

async function freePort() {
  const server = createServer()
  const { port } = await new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(server.address())),
  )
  await new Promise((resolve) => server.close(resolve))
  return port
}
