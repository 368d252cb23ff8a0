import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A small web project in a temporary folder. */
export interface TestProject {
  root: string
  write: (path: string, content: string | Uint8Array) => void
  remove: (path: string) => void
  close: () => void
}

const artifacts = fileURLToPath(new URL('../../artifacts', import.meta.url))

const entry = '<script type="module" src="/main.js"></script>'
const pageText = `<!doctype html><title>the page of the project</title>${entry}`

/** For bundlers that add the script of the entry to a page: with both, a browser would run it twice. */
export function withoutEntry(page: string): string {
  return page.replace(entry, '')
}

export function createTestProject(files: Record<string, string> = {}, parent = tmpdir()): TestProject {
  const root = mkdtempSync(join(parent, 'mock-api-'))
  const project: TestProject = {
    root,
    write(path, content) {
      const file = join(root, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
    },
    remove: (path) => rmSync(join(root, path), { recursive: true }),
    close: () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }),
  }
  const own = {
    'index.html': pageText,
    'main.js': 'document.body.append("the app")\n',
    'package.json': '{"type":"module"}',
  }
  for (const [path, text] of Object.entries({ ...own, ...files })) project.write(path, text)
  return project
}

/** A project inside this package, which finds the built package and the hosts by name, as a user's project does. */
export function createProjectInPackage(files: Record<string, string> = {}): TestProject {
  mkdirSync(artifacts, { recursive: true })
  const project = createTestProject(files, artifacts)
  project.remove('package.json') // a package resolves its own name only where its package.json is the nearest
  return project
}
