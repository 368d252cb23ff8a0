import { expect, it } from 'vitest'
import { currentPage, diagnosticsPage } from '../../scripts/diagnostics-page.ts'
import { currentReference, fixtureReference } from '../../scripts/fixture-reference.ts'
import { diagnosticCodes } from '../../src/core/diagnostics/diagnostic.ts'

it('docs/diagnostics.md is up to date (npx jiti scripts/diagnostics-page.ts)', () => {
  const page = currentPage()
  expect(page).toBe(diagnosticsPage())
  expect([...page.matchAll(/^## `(.+)`$/gm)].map(([, code]) => code)).toEqual(diagnosticCodes)
})

it('docs/fixture-reference.md is up to date (npm run build && npx jiti scripts/fixture-reference.ts)', () => {
  expect(currentReference()).toBe(fixtureReference())
})
