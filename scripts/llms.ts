/* Writes llms.txt of the package, which lists the pages of its documentation. A test fails when it is not up to date. */
import { readFileSync, writeFileSync } from 'node:fs'
import { description, name } from '../package.json'
import { headOf, listPages } from '../docs/.vitepress/llms.ts'

export function llms(): string {
  const intro = `The routes of the mock API are in fixture files (YAML). A coding agent begins with
[the skill](skills/unplugin-mock-api/SKILL.md).

`
  return headOf(name, description) + intro + listPages((page) => `docs/${page}.md`)
}

const file = new URL('../llms.txt', import.meta.url)
if (process.argv[1]?.endsWith('llms.ts')) writeFileSync(file, llms())

/** The file as it is. */
export function currentLlms(): string {
  return readFileSync(file, 'utf8')
}
