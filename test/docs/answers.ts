import type { Block } from './pages.ts'

/** Requests with curl, which `answers.test.ts` sends. */
export function isRequest({ page, language, text }: Block): boolean {
  return isAsked(page) && language === 'sh' && /localhost:5173\/(?!__mock-api)/.test(text)
}

/** Whether `answers.test.ts` sends the requests of a page. The others have tests of their own (`runs.ts`). */
function isAsked(page: string): boolean {
  return page.startsWith('docs/') && page !== 'docs/control-api.md'
}

/** The blocks after a request that show what comes of it: the answer, and then what the terminal says. */
export function answersTo(blocks: readonly Block[], request: Block): Block[] {
  const [first, second] = blocks.slice(blocks.indexOf(request) + 1)
  const isAnswer = first && ['json', 'http'].includes(first.language)
  const log = isAnswer ? second : first
  return [isAnswer && first, log && isLog(log) && log].filter((block) => !!block)
}

const isLog = ({ language, text }: Block) => language === 'txt' && text.startsWith('[mock-api]')
