import { writeFileSync } from 'node:fs'
import { cpus, totalmem, type } from 'node:os'
import { format } from 'prettier'

const file = new URL('../RESULTS.md', import.meta.url)

/**
 * @typedef {{ title: string, note?: string, head?: string[], rows?: string[][] }} Table
 *
 * @param {Table[]} tables
 * @param {{ quick: boolean, pinned: boolean, minutes: string, write: boolean }} run
 */
export async function report(tables, { quick, pinned, minutes, write }) {
  const text = `# Results

The last run of \`npm run bench${quick ? ' -- --quick' : ''}\`, written by it. What each table measures, and how: [README.md](README.md).

${table(['What', 'Value'], machine(pinned, minutes))}

${tables.map(section).join('\n\n')}
`
  const formatted = await format(text, { parser: 'markdown', proseWrap: 'preserve' })
  if (write) writeFileSync(file, formatted)
  console.log(`\n${formatted}`)
}

function section({ title, note, head, rows }) {
  return `## ${title}\n\n${note ?? table(head, rows)}`
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function machine(pinned, minutes) {
  const [{ model }] = cpus()
  return [
    ['Date', new Date().toISOString().slice(0, 10)],
    ['Processor', `${model.trim()}, ${cpus().length} cores`],
    ['Memory', `${Math.round(totalmem() / 2 ** 30)} GiB`],
    ['System', type()],
    ['Node', process.version],
    ['Cores', pinned ? 'load on the first, servers on the second' : 'not pinned'],
    ['Duration', `${minutes} minutes`],
  ]
}
