import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { words } from '../../src/core/values/values.ts'

/** The rules whose results depend on the scheme, or on what a width hides. All others say the same of a page however it looks. */
export const rulesOfLook = words(
  'color-contrast scrollable-region-focusable aria-hidden-focus button-name link-name label',
)

/** The other impacts, `minor` and `moderate`, are recommendations. */
const failingImpacts = ['serious', 'critical']

/**
 * The accessibility problems that axe-core finds in the current state of a page, color contrast included. Each text names the
 * rule, the element and the fix. A test expects an empty list. Works with any content security policy of the page.
 *
 * @param rules those that are checked; by default all
 */
export async function accessibilityProblems(page: Page, rules?: readonly string[]): Promise<string[]> {
  // A page keeps it while it shows its views.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const options = { resultTypes: ['violations' as const], ...(rules && { runOnly: [...rules] }) }
  const { violations } = await page.evaluate(
    (options) => (window as unknown as { axe: typeof axe }).axe.run(options),
    options,
  )
  return violations
    .filter(({ impact }) => failingImpacts.includes(impact ?? ''))
    .flatMap(({ id, impact, help, helpUrl, nodes }) =>
      nodes.map(({ target, html, failureSummary }) =>
        [`${impact}: ${help} (${id}, ${helpUrl})`, target.join(' '), html, failureSummary].join('\n  '),
      ),
    )
}
