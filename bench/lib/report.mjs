import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem, type } from 'node:os'
import { format } from 'prettier'

const file = new URL('../RESULTS.md', import.meta.url)

const introduction = `# Results

Written by \`npm run bench\`, each section by its last run. [README.md](README.md) explains what each table measures, and how.`

/**
 * Prints what was measured, and puts it into RESULTS.md in place of the same sections.
 *
 * @typedef {{ title: string, note?: string, head?: string[], rows?: string[][] }} Table
 *
 * @param {{ name: string, tables: Table[], minutes: string }[]} measured
 * @param {{ order: string[], pinned: boolean, write: boolean }} run `order`: the names of all sections
 */
export async function report(measured, { order, pinned, write }) {
  const texts = new Map(
    measured.map(({ name, tables, minutes }) => [name, sectionText(name, tables, minutes, pinned)]),
  )
  const formatted = (sections) => format([introduction, ...sections].join('\n\n'), options)
  console.log(`\n${await formatted(texts.values())}`)
  if (!write) return
  const all = new Map([...sectionsOf(readFileSync(file, 'utf8')), ...texts])
  writeFileSync(file, await formatted(order.flatMap((name) => all.get(name) ?? [])))
}

const options = { parser: 'markdown', proseWrap: 'preserve' }

/** The sections of RESULTS.md, by name. */
function sectionsOf(text) {
  const [, ...parts] = text.split(/^(?=## )/m)
  return parts.map((part) => [/^## (\w+)/.exec(part)[1], part.trim()])
}

function sectionText(name, tables, minutes, pinned) {
  return [
    `## ${name}`,
    measuredOn(minutes, pinned),
    ...tables.map(({ title, note, head, rows }) => `### ${title}\n\n${note ?? table(head, rows)}`),
  ].join('\n\n')
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function measuredOn(minutes, pinned) {
  const [{ model }] = cpus()
  const date = new Date().toISOString().slice(0, 10)
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  const cores = pinned ? 'load on the first core, servers on the second' : 'on all cores'
  return `Measured on ${date} in ${minutes} minutes: Node ${process.version}, ${type()}, ${model.trim()}, ${cpus().length} cores, ${memory}, ${cores}.`
}
