/* Fresh projects of the bundlers, with the packed package, from `init` to the answers in a page. Needs `npm run build`. */
import { describe } from 'vitest'
import { testScaffold } from './checks.ts'
import { bundlers } from './scaffold.ts'

describe.each(bundlers)('$name', (scaffold) => {
  testScaffold(scaffold)
})
