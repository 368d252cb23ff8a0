import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { formatDiagnostic } from '../../src/core/diagnostics/format.ts'
import { send } from '../core/send.ts'
import { Project, type Files } from './project.ts'

/*
 * Mistakes of newcomers, and what each is told. A page lists them: below its title the fixture files, each after `=== path`, then
 * what the terminal shows, after `===` and the requests where some are needed, with the status of each. After a change:
 * `npx vitest run test/loader/mistakes -u`, and read the difference as somebody who made the mistake.
 */

/** What fixtures in code import. */
const installed = {
  'node_modules/unplugin-mock-api/package.json':
    '{ "type": "module", "exports": { ".": "./index.js", "./fixture": "./fixture.js" } }',
  'node_modules/unplugin-mock-api/index.js': 'export default {}',
  'node_modules/unplugin-mock-api/fixture.js': 'export const defineFixture = (fixture) => fixture',
}

async function shown(files: Files, requests: readonly string[]): Promise<string> {
  const project = new Project({ ...installed, ...files })
  const { current } = await project.load()
  const texts = current!.diagnostics.map(formatDiagnostic)
  for (const request of requests) {
    const { status, body, diagnostic } = await send(current!.table, request)
    texts.push(`${status} ${diagnostic ? formatDiagnostic(diagnostic) : JSON.stringify(body)}`)
  }
  // The place is in the first line; the lines of the file around it would only repeat the block above.
  const withoutFrames = texts.map((text) => text.replaceAll(/^[> ] +\d* \|.*\n/gm, ''))
  return (withoutFrames.join('\n') || '(nothing)').replaceAll(project.root, '<root>')
}

it.each(['yaml', 'json', 'code'])('%s', async (name) => {
  const page = new URL(`mistakes/${name}.txt`, import.meta.url).pathname
  const sections: string[] = []
  for (const section of readFileSync(page, 'utf8').split(/^(?=## )/m)) {
    const written = /[^]*^===.*\n/m.exec(section)![0]
    const [shownFor, ...files] = [...written.matchAll(/^===(.*)\n((?:(?!===).*\n)*)/gm)].reverse()
    const byPath = files.reverse().map(([, path, text]) => [path!.trim(), text!])
    const requests = shownFor![1]!.split(',').flatMap((request) => request.trim() || [])
    sections.push(`${written}${await shown(Object.fromEntries(byPath) as Files, requests)}\n`)
  }
  await expect(sections.join('\n')).toMatchFileSnapshot(page)
})
