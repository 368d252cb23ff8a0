import { readFileSync } from 'node:fs'

/** The pages in the order in which a newcomer needs them. `test/docs/site.slow.test.ts` finds a page that is missing. */
const sections: { text: string; pages: string[] }[] = [
  { text: 'Start', pages: ['getting-started', 'play', 'fixture-files', 'options'] },
  {
    text: 'Answers',
    pages: [
      'selectors',
      'request-values',
      'pagination',
      'collections',
      'graphql',
      'live',
      'any-origin',
      'websockets',
      'faults',
      'scenarios',
      'sign-in',
      'backend',
    ],
  },
  { text: 'See and control', pages: ['inspector', 'explore', 'agents', 'control-api'] },
  {
    text: 'Use the fixtures elsewhere',
    pages: [
      'testing',
      'testing/jest',
      'testing/node-test',
      'testing/storybook',
      'testing/cypress',
      'without-dev-server',
    ],
  },
  { text: 'The command line', pages: ['cli', 'record', 'import', 'check', 'reality'] },
  {
    text: 'Hosts',
    pages: [
      'hosts/vite',
      'hosts/webpack',
      'hosts/rspack',
      'hosts/rsbuild',
      'hosts/connect',
      'hosts/fetch',
      'hosts/frameworks',
      'hosts/next',
      'hosts/angular',
      'hosts/create-react-app',
      'hosts/vue-cli',
      'hosts/docusaurus',
      'hosts/parcel',
      'hosts/metro',
    ],
  },
  {
    text: 'From other tools',
    pages: [
      'comparison',
      'migrating/vite-plugin-mock-dev-server',
      'migrating/vite-plugin-mock',
      'migrating/json-server',
      'migrating/msw',
    ],
  },
  { text: 'Reference', pages: ['fixture-reference', 'requests', 'diagnostics', 'security'] },
]

export const sidebar = sections.map(({ text, pages }) => ({
  text,
  items: pages.map((page): [title: string, page: string] => [titleOf(page), page]),
}))

/** A page has the same title in the sidebar as above its text. */
function titleOf(page: string): string {
  const text = readFileSync(new URL(`../${page}.md`, import.meta.url), 'utf8')
  const title = /^# (.+)$/m.exec(text)?.[1]
  if (!title) throw new Error(`docs/${page}.md has no title. Begin it with a line such as "# Selectors".`)
  return title
}
