import { expect, it } from 'vitest'
import { extractDocuments } from '../../../src/cli/documents/extract.ts'

/** The documents without the blanks around them. */
const found = (text: string, file: string) =>
  extractDocuments(text, file)?.map((document) => document.text.trim())

it.each<[what: string, file: string, text: string, expected: string[] | undefined]>([
  ['a GraphQL file', 'a.graphql', 'query A { a }', ['query A { a }']],
  ['tags', 'a.ts', 'gql`{ a }`; graphql`{ b }`; client.gql`{ c }`; css`d`', ['{ a }', '{ b }', '{ c }']],
  ['functions', 'a.ts', "graphql(`{ a }`); gql('{ b }'); graphql(/* GraphQL */ `{ c }`); use(`{ d }`)", ['{ a }', '{ b }', '{ c }']],
  ['the comment inside', 'a.ts', 'const a = `#graphql\n{ a }` as const; const b = `# other`', ['#graphql\n{ a }']],
  ['the comment', 'a.js', 'const a = /* GraphQL */ `{ a }`; const b = /* css */ `gql`', ['{ a }']],
  ['JSX', 'a.jsx', '<Query query={gql`{ a }`} />', ['{ a }']],
  ['type arguments and assertions', 'a.ts', 'const a = <T>gql<T>`{ a }`', ['{ a }']],
  ['what is interpolated is blank', 'a.ts', 'gql`{ ...F } ${ fragments["F"] }`', ['{ ...F }']],
  ['Vue', 'a.vue', '<template><a title="gql`{ x }`" /></template>\n<script setup lang="ts">\nconst a: string = gql`{ a }`\n</script>', ['{ a }']],
  ['Svelte with two scripts', 'a.svelte', '<script module>gql`{ a }`</script>\n<script>gql`{ b }`</script>', ['{ a }', '{ b }']],
  ['Astro', 'a.astro', '---\nconst a = gql`{ a }`\n---\n<p>gql`{ b }`</p>', ['{ a }']],
  ['none', 'a.ts', 'const gql = 1', []],
  ['a file that does not name GraphQL is not even parsed', 'a.ts', 'const a = {', []],
  ['a syntax error', 'a.ts', 'const gql = {', undefined],
])('%s', (_, file, text, expected) => {
  expect(found(text, file)).toEqual(expected)
}) // prettier-ignore

it('a document stands where it does in the file', () => {
  const text =
    '<script>\n\n  const a = gql`query A { a }`, b = gql`\r\n    ${F}\n    query B { a }`\n</script>'
  expect(extractDocuments(text, 'a.vue')).toEqual([
    { text: 'query A { a }', line: 3, column: 17 },
    { text: '\r\n        \n    query B { a }', line: 3, column: 41 },
  ])
})
