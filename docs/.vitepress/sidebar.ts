/** The pages in the order in which a newcomer needs them. `test/docs/site.test.ts` finds a page that is missing here. */
export const sidebar: { text: string; items: [title: string, page: string][] }[] = [
  {
    text: 'Start',
    items: [
      ['Getting started', 'getting-started'],
      ['Fixture files', 'fixture-files'],
      ['Options', 'options'],
    ],
  },
  {
    text: 'Answers',
    items: [
      ['Selectors and order', 'selectors'],
      ['Pagination', 'pagination'],
      ['GraphQL', 'graphql'],
      ['Slow and broken', 'faults'],
      ['Scenarios and sequences', 'scenarios'],
      ['Answers from the backend', 'backend'],
    ],
  },
  {
    text: 'See and control',
    items: [
      ['The inspector', 'inspector'],
      ['The control API', 'control-api'],
    ],
  },
  {
    text: 'Use the fixtures elsewhere',
    items: [
      ['Tests', 'testing'],
      ['Application code', 'virtual-module'],
      ['Demo builds', 'demo-builds'],
      ['Edge runtimes', 'edge'],
    ],
  },
  {
    text: 'The command line',
    items: [
      ['Commands', 'cli'],
      ['Record', 'record'],
      ['Import', 'import'],
      ['Check', 'check'],
    ],
  },
  {
    text: 'Hosts',
    items: [
      ['Vite', 'hosts/vite'],
      ['webpack', 'hosts/webpack'],
      ['Rspack', 'hosts/rspack'],
      ['Rsbuild', 'hosts/rsbuild'],
      ['connect, Express, Node', 'hosts/connect'],
      ['Fetch runtimes', 'hosts/fetch'],
      ['Frameworks', 'hosts/frameworks'],
    ],
  },
  {
    text: 'From other tools',
    items: [
      ['Comparison', 'comparison'],
      ['From vite-plugin-mock-dev-server', 'migrating/vite-plugin-mock-dev-server'],
      ['From vite-plugin-mock', 'migrating/vite-plugin-mock'],
      ['From json-server', 'migrating/json-server'],
      ['From MSW', 'migrating/msw'],
    ],
  },
  {
    text: 'Reference',
    items: [
      ['Fixture reference', 'fixture-reference'],
      ['Requests', 'requests'],
      ['Diagnostics', 'diagnostics'],
      ['Security', 'security'],
    ],
  },
]
