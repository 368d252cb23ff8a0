import { existsSync, lstatSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import fc from 'fast-check'
import { module, yaml, type Project } from './project.ts'

/** One thing that happens to the files of a project: what, to which of them, and with which number in it. */
export interface Operation {
  kind: keyof typeof operations
  slot: number
  to: number
  value: number
}

/** Few files in few folders, so that what happens meets. */
const slots = [
  'fixtures/a.yaml',
  'fixtures/b.json',
  'fixtures/c.ts',
  'fixtures/x/d.yaml',
  'fixtures/x/e.ts',
  'fixtures/x/deep/f.json5',
  'fixtures/y/d.yaml',
  'fixtures/y/g.mts',
]
const folders = ['fixtures/x', 'fixtures/y', 'fixtures/x/deep', 'fixtures/z', 'away']
const links = [
  'fixtures/link',
  'fixtures/x/link',
  'fixtures/linked.yaml',
  'fixtures/y/linked.ts',
  'fixtures/loop',
]
const targets = [
  'real',
  'real/inner',
  'real/r.yaml',
  'real/r.ts',
  'fixtures',
  'nowhere/at/all.yaml',
  'fixtures/x',
]
const reals = ['real/r.yaml', 'real/r.ts', 'real/inner/s.json', 'real/inner/t.yaml']
const broken: Record<string, string> = {
  yaml: '- [',
  json: '[{',
  json5: '[{path:}]',
  ts: "throw new Error('x')",
  mts: 'export default [',
}

const at = <T>(list: readonly T[], index: number): T => list[index % list.length]!

/** No two files list the same route, so that each answers for itself. */
let serial = 0

/** A file that lists a route of its own; modules and some data files are made of other files, too. */
function content(path: string, value: number): string {
  const route = `/${path.replaceAll(/\W/g, '-')}-${++serial}`
  switch (path.slice(path.lastIndexOf('.') + 1)) {
    case 'yaml':
      if (value % 4 === 1) return `- path: ${route}\n  response: { file: ${up(path)}bodies/body.txt }\n`
      if (value % 4 === 2)
        return `- path: ${route}\n  paginate: { items: { file: ${up(path)}bodies/items.json } }\n`
      return yaml(route, value)
    case 'json':
      return JSON.stringify([{ path: route, response: { body: value } }])
    case 'json5':
      return `[{ path: '${route}', response: { body: ${value} }, }]`
    default:
      return value % 2 === 0
        ? module(route, value)
        : module(route, 'one', `import { one } from '${up(path)}lib/one${value % 3 ? '.ts' : ''}'`)
  }
}

function up(path: string): string {
  return '../'.repeat(path.split('/').length - 1)
}

export const initialFiles = {
  ...Object.fromEntries([...slots, ...reals].map((path) => [path, content(path, 1)])),
  'bodies/body.txt': 'first',
  'bodies/items.json': '[{ "id": 1 }]',
  'lib/one.ts': "import { two } from './two'\nexport const one = two + 1",
  'lib/two.ts': 'export const two = 1',
}

type Run = (project: Project, operation: Omit<Operation, 'kind'>) => void

/** A file can stand where a folder stood, and the other way about: what can't be done is left out. */
function attempt(run: Run): Run {
  return (project, operation) => {
    try {
      run(project, operation)
    } catch (error) {
      if (
        !/^(ENOENT|ENOTDIR|EISDIR|EEXIST|ENOTEMPTY|EINVAL|ELOOP|EBUSY)$/.test(
          (error as NodeJS.ErrnoException).code ?? '',
        )
      )
        throw error
    }
  }
}

const writeSlot = (write: (project: Project, path: string, text: string) => void) =>
  attempt((project, { slot, value }) => write(project, at(slots, slot), content(at(slots, slot), value)))

const exists = (project: Project, path: string) =>
  lstatSync(project.path(path), { throwIfNoEntry: false }) !== undefined

const move = (project: Project, from: string, to: string) => {
  if (!existsSync(project.path(from)) || exists(project, to) || to.startsWith(`${from}/`)) return
  project.rename(from, to)
}

const operations = {
  write: writeSlot((project, path, text) => project.write(path, text)),
  replace: writeSlot((project, path, text) => {
    project.write(`${path}.tmp`, text)
    project.rename(`${path}.tmp`, path)
  }),
  'empty, then fill': writeSlot((project, path, text) => {
    project.write(path, '')
    project.write(path, text)
  }),
  'write half, then all': writeSlot((project, path, text) => {
    project.write(path, text.slice(0, text.length / 2))
    project.write(path, text)
  }),
  'delete, then write': writeSlot((project, path, text) => {
    if (existsSync(project.path(path))) project.remove(path)
    project.write(path, text)
  }),
  empty: attempt((project, { slot }) => project.write(at(slots, slot), '')),
  break: attempt((project, { slot }) => {
    const path = at(slots, slot)
    project.write(path, broken[path.slice(path.lastIndexOf('.') + 1)]!)
  }),
  delete: attempt((project, { slot }) => project.remove(at(slots, slot))),
  rename: attempt((project, { slot, to }) => {
    if (at(slots, slot) !== at(slots, to)) project.rename(at(slots, slot), at(slots, to))
  }),
  'move a folder': attempt((project, { slot, to }) => move(project, at(folders, slot), at(folders, to))),
  'delete a folder': attempt((project, { slot }) => project.remove(at(folders, slot))),
  'swap two folders': attempt((project, { slot, to }) => {
    const [a, b] = [at(folders, slot), at(folders, to)]
    if (a.startsWith(b) || b.startsWith(a) || ![a, b].every((path) => existsSync(project.path(path)))) return
    renameSync(project.path(a), project.path('swap'))
    renameSync(project.path(b), project.path(a))
    renameSync(project.path('swap'), project.path(b))
  }),
  'replace a folder': attempt((project, { slot, value }) => {
    const path = at(slots, slot)
    rmSync(project.path(dirname(path)), { recursive: true, force: true })
    project.write(path, content(path, value))
  }),
  'take all fixtures away, and back': attempt((project) => {
    project.rename('fixtures', 'swap')
    project.rename('swap', 'fixtures')
  }),
  link: attempt((project, { slot, to }) => {
    const path = at(links, slot)
    if (!exists(project, path)) symlinkSync(up(path) + at(targets, to), project.path(path))
  }),
  'lead a link elsewhere': attempt((project, { slot, to }) => {
    const path = at(links, slot)
    symlinkSync(up(path) + at(targets, to), project.path(`${path}.tmp`))
    renameSync(project.path(`${path}.tmp`), project.path(path))
  }),
  'remove a link': attempt((project, { slot }) => {
    if (lstatSync(project.path(at(links, slot))).isSymbolicLink()) rmSync(project.path(at(links, slot)))
  }),
  'write behind a link': attempt((project, { slot, value }) =>
    project.write(at(reals, slot), content(at(reals, slot), value)),
  ),
  'delete behind a link': attempt((project, { slot }) =>
    project.remove(at([...reals, 'real', 'real/inner'], slot)),
  ),
  'edit a helper': attempt((project, { slot, value }) =>
    project.write(
      at(['lib/one.ts', 'lib/two.ts'], slot),
      slot % 2 === 0
        ? `import { two } from './two'\nexport const one = two + ${value}`
        : `export const two = ${value}`,
    ),
  ),
  'make helpers import each other': attempt((project, { value }) => {
    project.write(
      'lib/one.ts',
      "import { two } from './two'\nexport let base = 1\nexport const one = two + base",
    )
    project.write('lib/two.ts', `import * as one from './one'\nexport const two = one ? ${value} : 0`)
  }),
  'break a helper': attempt((project, { slot }) =>
    project.write(
      at(['lib/one.ts', 'lib/two.ts'], slot),
      at(["throw new Error('h')", 'export const ='], slot),
    ),
  ),
  'delete a helper': attempt((project, { slot }) => project.remove(at(['lib/one.ts', 'lib/two.ts'], slot))),
  'edit a body': attempt((project, { value }) => project.write('bodies/body.txt', `body ${value}`)),
  'empty a body': attempt((project) => project.write('bodies/body.txt', '')),
  'delete a body': attempt((project) => project.remove('bodies/body.txt')),
  'edit a list': attempt((project, { value }) => project.write('bodies/items.json', `[{ "id": ${value} }]`)),
  'break a list': attempt((project) => project.write('bodies/items.json', '{}')),
} satisfies Record<string, Run>

/** After these a file that is broken may have been seen as it was for a moment, or not: gone, empty, or half of it. */
export const fleeting: ReadonlySet<Operation['kind']> = new Set([
  'empty, then fill',
  'write half, then all',
  'delete, then write',
  'swap two folders',
  'replace a folder',
  'take all fixtures away, and back',
])

export function run(project: Project, { kind, ...operation }: Operation): void {
  operations[kind](project, operation)
}

const small = fc.nat({ max: 7 })
export const operation: fc.Arbitrary<Operation> = fc.record({
  kind: fc.constantFrom(...(Object.keys(operations) as (keyof typeof operations)[])),
  slot: small,
  to: small,
  value: fc.integer({ min: 1, max: 99 }),
})
