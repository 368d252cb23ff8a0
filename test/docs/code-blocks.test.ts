/*
 * Every code block of README.md and docs/ is checked by its language, or run by a test that `runs.ts` names. A block that
 * nothing covers fails, with page and line. TypeScript and JavaScript are checked by `types.slow.test.ts`.
 */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { problemsOfCommands } from './commands.ts'
import { problemsOfData } from './data.ts'
import {
  allBlocks,
  answersTo,
  blocksOf,
  data,
  isRequest,
  packageRoot,
  pages,
  placeOf,
  shell,
  typed,
  type Block,
} from './pages.ts'
import { runs } from './runs.ts'

it.each(pages)('%s', async (page) => {
  const blocks = allBlocks.filter((block) => block.page === page && !block.markers.has('unchecked'))
  const problems = await problemsOf(blocks)
  expect(problems, problems.join('\n\n')).toEqual([])
})

it('each test of the table exists, and names its page', () => {
  for (const { page, test } of runs) {
    expect(pages).toContain(page)
    expect(readFileSync(join(packageRoot, test), 'utf8')).toContain(basename(page))
  }
})

it('a block is left unchecked only with a reason', () => {
  const reasons = allBlocks.flatMap(({ markers }) => markers.get('unchecked') ?? [])
  expect(reasons.filter((reason) => reason.length < 20)).toEqual([])
})

describe('what is wrong is found', () => {
  const example = (language: string, ...lines: string[]) =>
    ['', `\`\`\`${language}`, ...lines, '```', ''].join('\n')
  it.each([
    ['an unknown language', example('ruby', 'puts 1'), 'docs/example.md:2 is in "ruby"'],
    ['an output that no test compares', example('text', 'x'), 'docs/example.md:2 is in "text"'],
    ['a wrong key', example('yaml', '- path: /a', '  respnse: {}'), '[fixture-unknown-key]'],
    [
      'a wrong key in a part of a route',
      example('yaml', 'when: { qery: { a: 1 } }'),
      '[fixture-unknown-key]',
    ],
    ['YAML of no kind', example('yaml', 'a: 1'), 'Name its file'],
    ['broken YAML', example('yaml', 'a: [1'), 'does not parse'],
    ['broken GraphQL', example('graphql', 'type {'), 'does not parse'],
    ['broken JSON', example('json', '{'), 'does not parse'],
    ['an unknown command', example('sh', 'rm -rf /'), 'does not know: rm -rf /'],
    ['an unknown option', example('sh', 'npx unplugin-mock-api check --speed'), 'uses --speed'],
    ['an unknown command of ours', example('sh', 'npx unplugin-mock-api fly'), 'calls "fly"'],
    ['an unknown path', example('sh', 'curl localhost:5173/nowhere'), 'asks for /nowhere'],
    [
      'an announced diagnostic that is not there',
      `<!-- wrong: fixture-syntax -->${example('yaml', '- { path: /a, response: {} }')}`,
      'and has:\nnone',
    ],
  ])('%s', async (_, page, problem) => {
    const problems = await problemsOf(blocksOf('docs/example.md', page))
    expect(problems).toEqual([expect.stringContaining(problem)])
  })

  it('what is right is not', async () => {
    const page = [
      `<!-- wrong: fixture-unknown-key -->${example('yaml [fixtures/a.yaml]', '- path: /a', '  respnse: {}')}`,
      example('yaml', 'when: { query: { a: 1 } }'),
      example('sh', 'npm ci && npx unplugin-mock-api check --format json # in CI'),
    ].join('\n')
    expect(await problemsOf(blocksOf('docs/example.md', page))).toEqual([])
  })
})

async function problemsOf(blocks: readonly Block[]): Promise<string[]> {
  const problems: string[] = []
  const others = new Map<string, Block[]>()
  const compared = blocks.filter(isRequest).flatMap((request) => answersTo(blocks, request))
  for (const [index, block] of blocks.entries()) {
    const { language } = block
    if (data.includes(language)) problems.push(...(await problemsOfData(block, outputsAfter(blocks, index))))
    else if (shell.includes(language)) problems.push(...(await problemsOfCommands(block)))
    else if (language === 'graphql') problems.push(...problemsOfGraphQL(block))
    else if (!typed.includes(language) && !compared.includes(block))
      others.set(language, [...(others.get(language) ?? []), block])
  }
  for (const [language, found] of others) {
    const { page } = found[0]!
    const covered = runs.find((run) => run.page === page)?.blocks?.[language] ?? 0
    if (covered === 'all' || covered === found.length) continue
    problems.push(
      `${found.map(placeOf).join(', ')} is in "${language}", which only a test of the page can check: compare it there, and count it in test/docs/runs.ts (there: ${covered}).`,
    )
  }
  return problems
}

function problemsOfGraphQL(block: Block): string[] {
  try {
    parse(block.text)
    return []
  } catch (error) {
    return [`${placeOf(block)} does not parse: ${(error as Error).message}`]
  }
}

/** The texts that follow a block before the next file. */
function outputsAfter(blocks: readonly Block[], index: number): string[] {
  const following = blocks.slice(index + 1)
  const end = following.findIndex(({ language }) => !['text', 'txt', ...shell].includes(language))
  return following
    .slice(0, end === -1 ? undefined : end)
    .filter(({ language }) => !shell.includes(language))
    .map(({ text }) => text)
}
