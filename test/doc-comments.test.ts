/* The lint rule that a doc comment of src/ is a sentence of its own. */
import { ESLint, Linter } from 'eslint'
import { expect, it } from 'vitest'

const linter = new Linter()
const { plugins = {}, rules = {} } = (await new ESLint().calculateConfigForFile(
  'src/any/file.ts',
)) as Linter.Config
const held = rules['house/doc-comments']

it.each<[comment: string, problems: number]>([
  ['/** Of this server. */', 1],
  ['/** Those of all. */', 1],
  ['/** As a route names it. */', 1],
  ['/** Also of a part. */', 1],
  ['/** What would help. */', 1],
  ['/** The same for both. */', 1],
  ['/** Otherwise an error. */', 1],
  ['/** It may be new. */', 1],
  ['/** Its text. */', 1],
  ['/** They may be empty. */', 1],
  ['/** Offset in the file. */', 0],
  ['/** Items of a list. */', 0],
  ['/** Text of a page. It has no markup. */', 0],
  ['// It says why.', 0],
  ['/* What follows needs Node. */', 0],
])('%s: %i', (comment, problems) => {
  const found = linter.verify(`${comment}\nexport const it = 1`, [
    { plugins, rules: { 'house/doc-comments': held! } },
  ])
  expect(found.map(({ ruleId }) => ruleId)).toEqual(Array(problems).fill('house/doc-comments'))
})
