import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const require = createRequire(import.meta.url)

/** What relay-compiler makes of the documents in a source. */
export function compileWithRelay<Artifact, Name extends string>(
  schema: string,
  source: string,
  names: readonly Name[],
): Record<Name, Artifact> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'relay-')))
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  mkdirSync(join(folder, 'src'))
  write('package.json', '{ "type": "commonjs" }')
  write('schema.graphql', schema)
  write('src/App.js', `const { graphql } = require('relay-runtime')\n${source}`)
  const config = { src: './src', schema: './schema.graphql', language: 'javascript', eagerEsModules: false }
  write('relay.config.json', JSON.stringify(config))
  const compiler = require.resolve('relay-compiler/cli.js')
  const env = { ...process.env, FORCE_NO_WATCHMAN: '1' }
  execFileSync(process.execPath, [compiler, join(folder, 'relay.config.json')], {
    cwd: folder,
    env,
    stdio: 'pipe',
  })
  const read = (name: Name) => require(join(folder, `src/__generated__/${name}.graphql.js`)) as Artifact
  const artifacts = Object.fromEntries(names.map((name) => [name, read(name)]))
  rmSync(folder, { recursive: true, force: true })
  return artifacts as Record<Name, Artifact>
}
