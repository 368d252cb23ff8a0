import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A small web project in a folder of its own. */
export interface TestProject {
  root: string
  write: (path: string, text: string) => void
  remove: (path: string) => void
  close: () => void
}

export const pageText =
  '<!doctype html><title>the page of the project</title><script type="module" src="/main.js"></script>'

export function createTestProject(files: Record<string, string> = {}): TestProject {
  const root = mkdtempSync(join(tmpdir(), 'mock-api-'))
  const project: TestProject = {
    root,
    write(path, text) {
      const file = join(root, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
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
