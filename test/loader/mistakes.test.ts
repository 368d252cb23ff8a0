import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { formatDiagnostic } from '../../src/core/diagnostics/format.ts'
import { send } from '../core/send.ts'
import { Project, type Files } from './project.ts'

/*
 * Mistakes of newcomers, and what each is told. A page lists them: the fixture files, then the request
 * where one is needed, then what the terminal shows. After a change: `npx vitest run test/loader/mistakes -u`, and read
 * the difference as somebody who made the mistake.
 */

interface Mistake {
  title: string
  /** The blocks as they are written, without the last. */
  written: string
  files: Files
  request: string | undefined
}

/** What fixtures in code import. */
const installed = {
  'node_modules/unplugin-mock-api/package.json':
    '{ "type": "module", "exports": { ".": "./index.js", "./fixture": "./fixture.js" } }',
  'node_modules/unplugin-mock-api/index.js': 'export default {}',
  'node_modules/unplugin-mock-api/fixture.js': 'export const defineFixture = (fixture) => fixture',
}

function mistakesIn(page: string): Mistake[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const title = section.slice(0, section.indexOf('\n'))
      const blocks = [...section.matchAll(/^```(\w+) ?(\S*)\n([^]*?)^```$/gm)].filter(
        ([, language]) => language !== 'txt',
      )
      return {
        title,
        written: blocks.map(([block]) => block).join('\n\n'),
        files: Object.fromEntries(
          blocks.filter(([, , file]) => file).map(([, , file, text]) => [file!, text!]),
        ),
        request: blocks.find(([, language]) => language === 'http')?.[3]!.trim(),
      }
    })
}

async function shown({ files, request }: Mistake): Promise<string> {
  const project = new Project({ ...installed, ...files })
  const { current } = await project.load()
  const texts = current!.diagnostics.map(formatDiagnostic)
  if (request) {
    const { kind, status, body, diagnostic } = await send(current!.table, request)
    texts.push(kind === 'passthrough' ? kind : `${status} ${JSON.stringify(body)}`)
    if (diagnostic) texts.push(formatDiagnostic(diagnostic))
  }
  // The place is in the first line; the lines of the file around it would only repeat the block above.
  const withoutFrames = texts.map((text) => text.replaceAll(/^[> ] +\d* \|.*\n/gm, ''))
  return (withoutFrames.join('\n\n') || '(nothing)').replaceAll(project.root, '<root>')
}

it.each(['yaml', 'json', 'code'])('%s', async (name) => {
  const path = new URL(`mistakes/${name}.md`, import.meta.url)
  const sections: string[] = []
  for (const mistake of mistakesIn(readFileSync(path, 'utf8'))) {
    sections.push(`## ${mistake.title}\n\n${mistake.written}\n\n\`\`\`txt\n${await shown(mistake)}\n\`\`\`\n`)
  }
  await expect(sections.join('\n')).toMatchFileSnapshot(path.pathname)
})
