/* What the scaffold's own TypeScript says about the plugin in its config, about a fixture file, and about every entry. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../installed/install.ts'
import { start } from './command.ts'
import type { Project } from './project.ts'
import { writeFiles } from './scaffold.ts'

const { exports } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
  exports: Record<string, string | object>
}
/** Entries of declarations alone, which `types` in tsconfig.json names; the first is about Vite's own `import.meta.hot`. */
const declarations = ['./hot', './virtual']
const entries = Object.keys(exports)
  .filter((entry) => !entry.endsWith('.json') && !declarations.includes(entry))
  .map((entry) => `unplugin-mock-api${entry.slice(1)}`)

/** The module formats that go with each way to resolve imports. */
export const resolutions = { bundler: 'esnext', node16: 'node16', nodenext: 'nodenext' } as const

const typed = `
import { defineFixture } from 'unplugin-mock-api/fixture'

export default defineFixture([
  { path: '/orders/:id', response: ({ params, query }) => ({ body: { id: params['id'], page: query['page'] } }) },
  { path: '/orders', when: { query: { page: { $gt: 1 } } }, response: { status: 404, delay: 100 } },
])
// @ts-expect-error -- a wrong key: before TypeScript 7, the error is at the call
defineFixture([{ path: '/orders', respons: { body: [] } }])
`
const everyEntry = entries
  .map(
    (entry, index) => `import type * as entry${index} from '${entry}'
export type Names${index} = keyof typeof entry${index}`,
  )
  .join('\n')

/**
 * The errors, without `skipLibCheck`, that the project has because of the package: not those that its bundler's types have by
 * themselves.
 */
export async function typeErrors(
  { scaffold, configBefore, ...terminal }: Project,
  moduleResolution: keyof typeof resolutions,
): Promise<string[]> {
  const { cwd } = terminal
  const extension = scaffold.config.split('.').at(-1)
  const before = `config-before.${extension}`
  writeFiles(cwd, {
    'fixtures/typed.ts': typed,
    'every-entry.ts': everyEntry,
    [before]: configBefore ?? 'export {}\n',
  })
  const named = declarations.slice(scaffold.config.startsWith('vite') ? 0 : 1)
  const check = async (files: string[], types: string[]) => {
    const tsconfig = {
      compilerOptions: {
        target: 'es2023',
        lib: ['es2023', 'dom', 'dom.iterable'],
        module: resolutions[moduleResolution],
        moduleResolution,
        types,
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: false,
        noEmit: true,
      },
      files,
    }
    writeFileSync(join(cwd, 'tsconfig.types.json'), JSON.stringify(tsconfig))
    const tsc = start(['npx', 'tsc', '-p', 'tsconfig.types.json', '--pretty', 'false'], terminal)
    await tsc.ended
    return tsc
      .output()
      .split('\n')
      .filter((line) => line.includes(': error '))
  }
  const known = new Set(await check([before], ['node']))
  const types = ['node', ...named.map((entry) => `unplugin-mock-api${entry.slice(1)}`)]
  const errors = await check([scaffold.config, 'fixtures/typed.ts', 'every-entry.ts'], types)
  return errors.filter((error) => !known.has(error))
}
