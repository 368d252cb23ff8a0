import { groupBy } from '../../core/values/collections.ts'
import { escapeHtml } from '../../wire/escape-html.ts'

export interface TestCase {
  suite: string
  name: string
  /** Why it fails. */
  failure?: { type: string; message: string; text: string }
  /** Why it does not, although something was found. */
  skipped?: string | undefined
}

/** @see https://github.com/testmoapp/junitxml */
export function junit(name: string, cases: readonly TestCase[]): string {
  const xml = (text: string) =>
    escapeHtml(text).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '�')
  const testcase = ({ suite, name, failure, skipped }: TestCase) => {
    const result = failure
      ? `<failure type="${xml(failure.type)}" message="${xml(failure.message)}">${xml(failure.text)}</failure>`
      : skipped !== undefined && `<skipped message="${xml(skipped)}"/>`
    return `    <testcase classname="${xml(suite)}" name="${xml(name)}"${result ? `>${result}</testcase>` : '/>'}`
  }
  const total = (list: readonly TestCase[]) =>
    `tests="${list.length}" failures="${list.filter(({ failure }) => failure).length}" skipped="${list.filter(({ failure, skipped }) => !failure && skipped !== undefined).length}"`
  const suites = [...groupBy(cases, ({ suite }) => suite)].map(
    ([suite, list]) =>
      `  <testsuite name="${xml(suite)}" ${total(list)}>\n${list.map(testcase).join('\n')}\n  </testsuite>\n`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${xml(name)}" ${total(cases)}>\n${suites.join('')}</testsuites>\n`
}
