import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { itemsPage } from './lib/answers.mjs'
import { openAsker } from './lib/load.mjs'
import { fakeServerFile, mockDevServerFile } from './lib/peer-fixtures.mjs'
import { startServer } from './lib/processes.mjs'
import { makeProject, makeViteProject } from './lib/project.mjs'
import { works } from './lib/requests.mjs'
import { median, quantile } from './lib/stats.mjs'

const script = (path) => fileURLToPath(new URL(path, import.meta.url))
const [page2] = works

const itemsFixture = {
  name: 'fixtures/items.json',
  text: JSON.stringify([
    { path: '/items', response: { body: itemsPage(1) } },
    { path: '/items', when: { query: { page: 2 } }, response: { body: itemsPage(2) } },
  ]),
}

/** Time from saving a fixture file to the first answer that shows the change. */
export async function edits({ quick, log }) {
  const subjects = [
    { name: 'unplugin-mock-api, one file (JSON)', ...inVite('ours', itemsFixture) },
    { name: 'unplugin-mock-api, one file among 5 000', ...amongMany('fixtures') },
    { name: 'unplugin-mock-api, in a folder of 5 000', ...amongMany('fixtures/others') },
    {
      name: 'vite-plugin-mock-dev-server (JSON)',
      ...inVite('vite-plugin-mock-dev-server', mockDevServerFile),
    },
    { name: 'vite-plugin-fake-server (JavaScript)', ...inVite('vite-plugin-fake-server', fakeServerFile) },
  ]
  for (const subject of subjects) {
    subject.server = await startServer(subject.script, { args: [], probe: page2, cwd: subject.root })
  }
  const rounds = quick ? 10 : 50
  const times = subjects.map(() => [])
  for (let round = -2; round < rounds; round++) {
    log(`Edit: round ${Math.max(round + 1, 0)} of ${rounds}`)
    for (const [index, subject] of subjects.entries()) {
      const milliseconds = await editToAnswer(subject, `Item ${round + 1000}`)
      if (round >= 0) times[index].push(milliseconds)
    }
  }
  for (const { server } of subjects) await server.stop()
  const rows = subjects.map(({ name }, index) => [
    name,
    median(times[index]).toFixed(1),
    quantile(times[index], 0.9).toFixed(1),
  ])
  return [{ title: 'Edit of a fixture file to its new answer', head: ['Subject', 'ms', '90 % within'], rows }]
}

function inVite(plugin, file) {
  const root = makeViteProject(plugin, { [file.name]: file.text })
  return { root, file, script: script('subjects/vite.mjs') }
}

/** @param {string} folder where the file is that is edited */
function amongMany(folder) {
  const file = { ...itemsFixture, name: `${folder}/items.json` }
  const others = Array.from({ length: 4999 }, (_, index) => [
    `fixtures/others/${index}.json`,
    JSON.stringify([{ path: `/r/${index}/:id`, response: { body: { id: index } } }]),
  ])
  const root = makeProject({ ...Object.fromEntries(others), [file.name]: file.text })
  return { root, file, script: script('subjects/ours.mjs') }
}

/** Renames an item of page 2, and sends requests until an answer has the new name. */
async function editToAnswer({ name: subject, root, file, server }, name) {
  await new Promise((resolve) => setTimeout(resolve, 60)) // the last edit has been handled
  const asker = await openAsker(server.port)
  const text = file.text.replaceAll('Item 5', name)
  const start = performance.now()
  writeFileSync(join(root, file.name), text)
  for (;;) {
    const body = await asker.ask(page2.bytes)
    const milliseconds = performance.now() - start
    if (body.includes(name)) {
      asker.close()
      return milliseconds
    }
    if (milliseconds > 30_000) throw new Error(`${subject}: an edit is not answered`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
