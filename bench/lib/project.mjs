import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mainScript } from './answers.mjs'
import { fakeServerFile, mockDevServerFile } from './peer-fixtures.mjs'

/** Inside `bench/`, so that a project finds the packages that are installed there. Not hidden: globs skip hidden folders. */
const scratchFolder = fileURLToPath(new URL('../scratch', import.meta.url))

const roots = new Set()
process.once('exit', () => roots.forEach((root) => rmSync(root, { recursive: true, force: true })))

/** Folders that killed servers could not delete themselves. */
export function removeProjects() {
  rmSync(scratchFolder, { recursive: true, force: true })
}

/** A folder that is deleted when the process ends. @param {Record<string, string>} files by path */
export function makeProject(files) {
  mkdirSync(scratchFolder, { recursive: true })
  const root = mkdtempSync(join(scratchFolder, 'project-'))
  for (const [path, text] of Object.entries(files)) writeFile(root, path, text)
  roots.add(root)
  return root
}

/** @param {string} root @param {string} path @param {string} text */
function writeFile(root, path, text) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

/** How each Vite plugin is added. `floor` only answers from prepared bytes. */
const vitePlugins = {
  none: { import: '', call: '', files: [] },
  floor: { import: `import plugin from 'FLOOR'`, call: 'plugin()', files: [] },
  ours: { import: `import plugin from 'unplugin-mock-api/vite'`, call: 'plugin()', files: [] },
  'vite-plugin-mock-dev-server': {
    import: `import { mockDevServerPlugin as plugin } from 'vite-plugin-mock-dev-server'`,
    call: `plugin({ prefix: ['/items', '/graphql', '/r'], log: 'error' })`,
    files: [mockDevServerFile],
  },
  'vite-plugin-fake-server': {
    import: `import { vitePluginFakeServer as plugin } from 'vite-plugin-fake-server'`,
    call: 'plugin({ logger: false })',
    files: [fakeServerFile],
  },
}

/**
 * A Vite project with one of the plugins.
 *
 * @param {keyof typeof vitePlugins} name
 * @param {Record<string, string>} [files] further files; with them the plugin's own fixture files are left out
 */
export function makeViteProject(name, files) {
  const plugin = vitePlugins[name]
  const floor = new URL('../subjects/vite-floor.mjs', import.meta.url).href
  return makeProject({
    'package.json': '{ "type": "module", "private": true }\n',
    'index.html': '<!doctype html><script type="module" src="/src/main.js"></script>\n',
    'src/main.js': mainScript,
    'vite.config.mjs': `${plugin.import.replace('FLOOR', floor)}

export default { plugins: [${plugin.call}], cacheDir: 'node_modules/.vite', server: { strictPort: true } }
`,
    ...(files ?? Object.fromEntries(plugin.files.map(({ name, text }) => [name, text]))),
  })
}
