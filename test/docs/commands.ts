import { readFileSync } from 'node:fs'
import { runIn } from '../cli/test-terminal.ts'
import { allBlocks, packageRoot, placeOf, type Block } from './pages.ts'

const { scripts } = JSON.parse(readFileSync(`${packageRoot}/package.json`, 'utf8')) as { scripts: object }

/** Commands of other programs. They are not run here; a page whose commands are run has a test in `runs.ts`. */
const known = [
  /^(?:npm|pnpm|yarn|bun) (?:ci|i|install|add|create|init|exec|test)\b/,
  /^(?:npx|pnpm|yarn|bunx) (?:nuxt|vite|vitest|playwright test|storybook|msw init|wrangler|astro|next|cypress)\b/,
  /^(?:deno serve|bun|node) [\w./-]+$/,
  /^node --import \S+ --test$/,
  /^(?:cd|git clone|git commit|git add|mkdir) /,
]

/** What is wrong with the commands of a block. */
export async function problemsOfCommands(block: Block): Promise<string[]> {
  const commands = block.text
    .replaceAll(/\\\n\s*/g, ' ')
    .split(/\n|&&/)
    .map((command) => command.replace(/ #.*/, '').trim())
    .map((command) => command.replace(/^(?:[A-Z_]+=\S* )+/, ''))
    .filter((command) => command && !command.startsWith('#'))
  const problems = await Promise.all(commands.map((command) => problemOf(command, block.page)))
  return problems.filter((problem) => problem !== undefined).map((problem) => `${placeOf(block)} ${problem}`)
}

async function problemOf(command: string, page: string): Promise<string | undefined> {
  const own = /^(?:npx|pnpm(?: exec)?|yarn|bunx) unplugin-mock-api(?:@\w+)?(?: (.*))?$/.exec(command)
  if (own) return problemOfOwn(own[1] ?? '')
  if (command.startsWith('curl ')) return problemOfCurl(command, page)
  const script = /^(?:npm|pnpm|yarn) run ([\w:-]+)/.exec(command)?.[1]
  if (script !== undefined)
    return script in scripts || ['dev', 'build', 'start'].includes(script)
      ? undefined
      : `runs the script "${script}", which package.json does not have.`
  if (known.some((pattern) => pattern.test(command))) return undefined
  return `has a command that test/docs/commands.ts does not know: ${command}`
}

async function problemOfOwn(rest: string): Promise<string | undefined> {
  const words = rest.split(' ')
  const command = words.slice(0, words[0] === 'import' ? 2 : 1)
  const { stdout } = await help(command)
  if (!stdout.includes(`Usage: unplugin-mock-api ${command.join(' ')}`))
    return `calls "${command.join(' ')}", which the command does not have.`
  const options = words.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.replace(/=.*/, ''))
  const missing = options.filter((option) => !new RegExp(`(?:^|[\\s,])${option}(?=[\\s,])`).test(stdout))
  if (missing.length > 0) return `uses ${missing.join(', ')}, which "${command.join(' ')}" does not have.`
  return undefined
}

type Help = Awaited<ReturnType<typeof runIn>>
const helps = new Map<string, Promise<Help>>()
function help(command: readonly string[]): Promise<Help> {
  const key = command.join(' ')
  if (!helps.has(key)) helps.set(key, runIn('.', command[0] === '' ? ['--help'] : [...command, '--help']))
  return helps.get(key)!
}

/** The paths that can be asked for without a fixture file. */
const always = ['/graphql', '/items', '/__mock-api/']

/** A request of an example is for a starter template, the control API, or a path of the page's fixtures. */
function problemOfCurl(command: string, page: string): string | undefined {
  const address = /(?:https?:\/\/)?localhost:\d+(\/[^\s'"?]*)/.exec(command)?.[1]
  if (address === undefined) return `asks for nothing on localhost: ${command}`
  const paths = allBlocks
    .filter((block) => block.page === page)
    .flatMap(({ text }) => [...text.matchAll(/\bpath['"]?: ['"]?(\/[^\s'",}]*)/g)].map(([, path]) => path!))
  const fits = (path: string) =>
    new RegExp(`^${path.replaceAll(/\*\*.*/g, '.*').replaceAll(/:\w+/g, '[^/]+')}$`).test(address)
  if (always.some((path) => address.startsWith(path)) || paths.some(fits)) return undefined
  return `asks for ${address}, which no fixture of the page has.`
}
