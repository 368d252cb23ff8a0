import type { Block } from './pages.ts'

/** Requests with curl, which `answers.test.ts` sends. */
export function isRequest({ language, text }: Block): boolean {
  return language === 'sh' && /localhost:5173\/(?!__mock-api)/.test(text)
}

/** The blocks after a request that show what comes of it: the answer, and then what the terminal says. */
export function answersTo(blocks: readonly Block[], request: Block): Block[] {
  const [first, second] = blocks.slice(blocks.indexOf(request) + 1)
  const isAnswer = first && ['json', 'http'].includes(first.language)
  const log = isAnswer ? second : first
  return [isAnswer && first, log && isLog(log) && log].filter((block) => !!block)
}

const isLog = ({ language, text }: Block) => language === 'txt' && text.startsWith('[mock-api]')
