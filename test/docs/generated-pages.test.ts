import { expect, it } from 'vitest'
import { currentPage, diagnosticsPage } from '../../scripts/diagnostics-page.ts'
import { fixtureReference } from '../../scripts/fixture-reference.ts'
import { currentReference } from '../../scripts/fixture-reference-page.ts'
import { currentLlms, llms } from '../../scripts/llms.ts'
import { catalogue } from '../../src/core/diagnostics/diagnostic.ts'

it('docs/diagnostics.md is up to date (npx jiti scripts/diagnostics-page.ts)', () => {
  const page = currentPage()
  expect(page).toBe(diagnosticsPage())
  const codes = [...page.matchAll(/^## `(.+)`$/gm)].map(([, code]) => code)
  expect(codes.toSorted()).toEqual(Object.keys(catalogue).toSorted())
})

it('docs/fixture-reference.md is up to date (npm run build && npx jiti scripts/fixture-reference.ts)', () => {
  expect(currentReference()).toBe(fixtureReference())
})

it('llms.txt is up to date (npx jiti scripts/llms.ts)', () => {
  expect(currentLlms()).toBe(llms())
})
