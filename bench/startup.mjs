import { openAsker } from './lib/load.mjs'
import { makeViteProject } from './lib/project.mjs'
import { works } from './lib/requests.mjs'
import { median, spread } from './lib/stats.mjs'
import { startVite } from './lib/vite-process.mjs'

const [page2] = works

/** What a plugin adds to the time from starting `vite` to its first answer. */
export async function startup({ quick, log }) {
  const projects = [
    { name: 'floor', root: makeViteProject('floor') },
    { name: 'floor again (A/A)', root: makeViteProject('floor') },
    { name: 'unplugin-mock-api, templates', root: makeViteProject('ours') },
    { name: 'unplugin-mock-api, 100 TypeScript fixtures', root: makeViteProject('ours', manyFixtures()) },
    { name: 'vite-plugin-mock-dev-server', root: makeViteProject('vite-plugin-mock-dev-server') },
    { name: 'vite-plugin-fake-server', root: makeViteProject('vite-plugin-fake-server') },
  ]
  const rounds = quick ? 4 : 21
  const times = projects.map(() => [])
  for (let round = -1; round < rounds; round++) {
    log(`Start: round ${round + 1} of ${rounds}`)
    for (const [index, { root }] of projects.entries()) {
      const milliseconds = await timeToFirstAnswer(root)
      if (round >= 0) times[index].push(milliseconds)
    }
  }
  const rows = projects.map(({ name }, index) => [
    name,
    median(times[index]).toFixed(0),
    spread(
      times[index].map((time, round) => time / times[0][round]),
      2,
    ),
  ])
  const head = ['Subject', 'ms', 'Relative to floor (quartiles)']
  return [{ title: 'Start of `vite` to its first answer', head, rows }]
}

async function timeToFirstAnswer(root) {
  const start = performance.now()
  const { port, stop } = await startVite(root)
  try {
    const asker = await openAsker(port)
    for (;;) {
      const body = await asker.ask(page2.bytes)
      const milliseconds = performance.now() - start
      try {
        page2.verify(body)
        asker.close()
        return milliseconds
      } catch (error) {
        // Some plugins load their files after the server has begun to listen. Until then, the HTML page is served.
        if (milliseconds > 30_000) throw error
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    }
  } finally {
    await stop()
  }
}

function manyFixtures() {
  const page = { page: 2, per_page: 3, total: 8, total_pages: 3, has_more: true }
  const data = [4, 5, 6].map((id) => ({ id, name: `Item ${id}` }))
  const item = `{ path: '/items', response: { body: ${JSON.stringify({ ...page, data })} } }`
  const text = (index) => `import { defineFixture } from 'unplugin-mock-api/fixture'

const name: string = 'item ${index}'

export default defineFixture([
  { path: '/r/${index}/:id', response: ({ params }) => ({ body: { id: params.id, name } }) },
  ${index === 0 ? item : ''}
])
`
  return Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`fixtures/routes-${index}.ts`, text(index)]),
  )
}
