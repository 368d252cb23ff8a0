import { quote } from '../values/describe-value.ts'
import { createDiagnose, suggest, type Texts } from './text.ts'

/** A route's `when`. */
export const selectorTexts = {
  'selector-unknown-parameter': (d: { name: string; path: string }) => ({
    message: `The selector names the parameter ${quote(d.name)}, which the path ${quote(d.path)} does not have.`,
    fix: `Add ":${d.name}" to the path, or select by "query" or "body" instead.`,
  }),
  'selector-unknown-operator': (d: { operator: string; known: readonly string[] }) => ({
    message: `${quote(d.operator)} is not an operator of selectors.`,
    fix: suggest(d.operator, d.known, 'Known operators'),
  }),
  'selector-invalid-operand': (d: { operator: string; expected: string; received: string }) => ({
    message: `The operator ${quote(d.operator)} takes ${d.expected}, not ${d.received}.`,
    fix: `Give ${quote(d.operator)} ${d.expected}.`,
  }),
  'selector-invalid-pattern': (d: { pattern: string; reason: string; fix?: string }) => ({
    message: `The pattern ${quote(d.pattern)} can't be used: ${d.reason}`,
    fix:
      d.fix ??
      'Write it in RE2 syntax, which has no look-around and no backreferences ("$not" can say what must not match).',
  }),
  'selector-invalid-text': (d: { received: string; operator?: string | undefined }) => ({
    message: `Query, path parameters, headers and cookies are strings: ${d.received} never matches there.`,
    fix:
      d.operator !== undefined
        ? `An operator begins with a dollar sign: write "$${d.operator}" instead of "${d.operator}".`
        : 'Write a string, a number or a boolean, or an object of operators such as { $in: [a, b] }.',
  }),
  'selector-options-alone': () => ({
    message: 'The operator "$options" has no effect without "$regex".',
    fix: 'Add the pattern: { $regex: "^a", $options: i }.',
  }),
  'selector-regex-text': (d: { text: string; meant: string }) => ({
    severity: 'warning',
    message: `${quote(d.text)} is compared as text, with its slashes.`,
    fix: `For a regular expression, write ${d.meant}.`,
  }),
  'selector-unquoted-number': (d: { written: string; value: number }) => ({
    severity: 'warning',
    message: `${d.written} without quotes is the number ${d.value}, so this selects every spelling of that number.`,
    fix: `Quote it to select only this text: '${d.written}'.`,
  }),
  'selector-too-deep': (d: { limit: number }) => ({
    message: `The selector is nested more than ${d.limit} levels deep.`,
    fix: 'Reach inside with dots, such as { "a.b.c": 1 }, or write a predicate function.',
  }),
  'selector-invalid-document': (d: { reason: string }) => ({
    message: `The selector "query" is not a GraphQL document that can be selected: ${d.reason}`,
    fix: 'Write one operation, as the client sends it. For query parameters write an object: { page: 2 }.',
  }),
} satisfies Texts

export const diagnoseSelector = createDiagnose(selectorTexts)
