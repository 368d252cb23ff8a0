/*
 * Fixture files that have caused problems here or in similar programs, and what they give. Findings of the fuzzers are added here.
 */

import { isThorough } from '../sampling.ts'

export interface Case {
  name: string
  extension: 'yaml' | 'json' | 'jsonc' | 'json5' | 'ts'
  text: string
  /**
   * The number of routes, without a diagnostic; else `code line:column message` of the first diagnostic. A file of test data
   * has neither, and the folder is told to hold it. An empty file has a warning.
   */
  expected: number | RegExp | 'not a fixture file' | 'empty'
}

const many = (count: number, write: (index: number) => string, between = '\n') =>
  Array.from({ length: count }, (_, index) => write(index)).join(between)
const nest = (open: string, close: string, depth: number, inner = '') =>
  open.repeat(depth) + inner + close.repeat(depth)
const jsonBody = (body: string) => `[{ "path": "/a", "response": { "body": ${body} } }]`
const yamlBody = (body: string) => `- path: /a\n  response: { body: ${body} }\n`
const bomb = (levels: number, indent = '') =>
  many(
    levels,
    (i) =>
      `${indent}a${i}: &a${i} [${Array(9)
        .fill(i === 0 ? 'x' : `*a${i - 1}`)
        .join()}]`,
  )

const tooComplex = /^fixture-too-complex .*(?:nested too deeply|nests deeper than \d+ levels)\.$/

/** Makes any module one that is run. */
export const naming = '\n// for unplugin-mock-api'

const modules: Case[] = [
  // The search for imports took time that grew with the third power of the spaces, or with the square of the comments.
  { name: 'an import with 20 000 spaces', extension: 'ts', text: `import ${' '.repeat(20_000)} x`, expected: /^fixture-syntax 2:/ },
  { name: '20 000 imports of nothing', extension: 'ts', text: 'import '.repeat(20_000), expected: /^fixture-syntax 1:/ },
  { name: '50 000 comments that have no end', extension: 'ts', text: '/*'.repeat(50_000), expected: /^fixture-syntax 1:/ },
  { name: '200 000 backslashes', extension: 'ts', text: '\\'.repeat(200_000), expected: /^fixture-syntax / },
  { name: '100 000 names', extension: 'ts', text: `import { ${'a, '.repeat(100_000)}`, expected: /^fixture-syntax / },
  { name: '50 000 quotes', extension: 'ts', text: `'"\``.repeat(50_000), expected: /^fixture-syntax 1:/ },
  { name: 'lists 10 000 levels deep', extension: 'ts', text: `export default ${nest('[', ']', 10_000)}`, expected: /^fixture-import-failed .*nested too deeply\.$/ },
  { name: 'a parser at a loss', extension: 'ts', text: '@<A>', expected: /^fixture-syntax : / },
  { name: 'a list that throws when it is read', extension: 'ts', text: "export default new Proxy([], { get() { throw new Error('trap') } })", expected: /^fixture-import-failed .*trap\.$/ },
  { name: 'a route that throws when it is read', extension: 'ts', text: 'export default [{ get path() { throw null } }]', expected: /^fixture-import-failed .*it threw null\.$/ },
  { name: 'a proxy that was revoked', extension: 'ts', text: 'const { proxy, revoke } = Proxy.revocable([], {}); revoke()\nexport default proxy', expected: /^fixture-import-failed .*revoked\.$/ },
  ...['null', 'undefined', 'Symbol()', 'Object.create(null)', '{ then() { throw 1 } }'].map((thrown): Case => ({
    name: `a module that throws ${thrown}`,
    extension: 'ts',
    text: `throw ${thrown}`,
    expected: /^fixture-import-failed .*it threw /,
  })),
  { name: 'an error whose stack throws', extension: 'ts', text: "const error = new Error('x')\nObject.defineProperty(error, 'stack', { get() { throw 1 } })\nthrow error", expected: /^fixture-import-failed .*: x\.$/ },
  { name: 'an error whose message is none', extension: 'ts', text: "throw Object.assign(new Error('x'), { message: 5, stack: 7 })", expected: /^fixture-import-failed .*: 5\.$/ },
  { name: 'an export that is a class', extension: 'ts', text: 'export default class {}', expected: /^fixture-import-failed .*without 'new'\.$/ },
  { name: 'an export that never settles', extension: 'ts', text: 'export default () => new Promise(() => {})', expected: /^fixture-timeout .*its function did not settle/ },
  { name: 'a module that never settles', extension: 'ts', text: 'await new Promise(() => {})\nexport default []', expected: /^fixture-timeout .*its import did not settle/ },
  { name: 'a body whose toJSON throws nothing', extension: 'ts', text: "export default [{ path: '/a', response: { body: { toJSON() { throw null } } } }]", expected: /^body-not-json .*it threw null\.$/ },
  { name: 'items that throw nothing', extension: 'ts', text: "export default [{ path: '/a', paginate: { items() { throw null } } }]", expected: /^items-failed .*it threw null\.$/ },
  { name: 'a list with a gap', extension: 'ts', text: "export default [, { path: '/a' }]", expected: /^fixture-invalid 1: This entry must be an object/ },
] // prettier-ignore

const extensions = ['yaml', 'json', 'jsonc', 'json5'] as const

export const corpus: Case[] = [
  ...extensions.flatMap((extension): Case[] => [
    { name: `an empty file: ${extension}`, extension, text: '', expected: 'empty' },
    { name: `white space alone: ${extension}`, extension, text: ' \n\n', expected: 'empty' },
    { name: `a byte order mark alone: ${extension}`, extension, text: '\ufeff', expected: 'empty' },
    { name: `a byte order mark: ${extension}`, extension, text: '\ufeff[{ "path": "/a" }]', expected: 1 },
    { name: `null: ${extension}`, extension, text: 'null', expected: 'empty' },
    { name: `a number: ${extension}`, extension, text: '1', expected: 'not a fixture file' },
    { name: `CRLF: ${extension}`, extension, text: '[\r\n{ "path": "/a",\r\n"x": 1 }]', expected: /^fixture-unknown-key 3:1 / },
    { name: `line breaks of old: ${extension}`, extension, text: '[\r{ "path": "/a",\r"x": 1 }]', expected: /^fixture-unknown-key 3:1 / },
    { name: `NUL: ${extension}`, extension, text: '[{ "path": "/a" }]\0', expected: /^fixture-syntax 1:19 / },
    { name: `brackets without end: ${extension}`, extension, text: '['.repeat(10_000), expected: tooComplex },
    { name: `a body 10 000 levels deep: ${extension}`, extension, text: jsonBody(nest('[', ']', 10_000)), expected: extension === 'json' ? /^body-not-json 1:2 .*nested too deeply\.$/ : tooComplex },
    { name: `a selector 10 000 levels deep: ${extension}`, extension, text: `[{ "path": "/a", "when": { "body": ${nest('{"a":', '}', 10_000, '1')} } }]`, expected: extension === 'json' ? /^selector-too-deep 1:2 / : tooComplex },
    { name: `names of the prototype: ${extension}`, extension, text: jsonBody('{ "__proto__": { "x": 1 }, "constructor": 1, "toString": 2 }'), expected: 1 },
    { name: `a route's key of the prototype: ${extension}`, extension, text: '[{ "path": "/a", "__proto__": { "path": "/b" } }]', expected: /^fixture-unknown-key 1:18 .*"__proto__"/ },
    { name: `a lone surrogate everywhere: ${extension}`, extension, text: '[{ "path": "/a", "name": "\\ud800", "response": { "headers": { "x-a": "a" }, "body": "\\ud800" } }]', expected: 1 },
    { name: `a name of a file with NUL in it: ${extension}`, extension, text: '[{ "path": "/a", "response": { "file": "a\\u0000b" } }]', expected: /^body-file-unreadable 1:\d+ / },
    { name: `a pipe as a body: ${extension}`, extension, text: '[{ "path": "/a", "response": { "file": "pipe" } }]', expected: /^body-file-unreadable 1:\d+ .*it is not a regular file\.$/ },
    { name: `a link that leads out of the root: ${extension}`, extension, text: '[{ "path": "/a", "response": { "file": "out.txt" } }]', expected: /^body-file-outside-root 1:\d+ / },
    { name: `numbers beyond all bounds: ${extension}`, extension, text: '[{ "path": "/a", "response": { "status": 1e999, "delay": 1e999 } }]', expected: /^fixture-invalid 1:\d+ "status" must be/ },
    { name: `a fixture that is its own body: ${extension}`, extension, text: `[{ "path": "/a", "response": { "file": "fixture.${extension}" } }]`, expected: 1 },
    { name: `a pattern without end: ${extension}`, extension, text: `[{ "path": "/a", "when": { "query": { "a": { "$regex": "${'('.repeat(20_000)}" } } } }]`, expected: /^selector-invalid-pattern 1:\d+ / },
  ]),
  // Sizes that take long: in one format, and in the slow run in all.
  ...(isThorough ? extensions : extensions.slice(0, 1)).flatMap((extension): Case[] => [
    { name: `a line of 1.9 million characters: ${extension}`, extension, text: jsonBody(`"${'x'.repeat(1_900_000)}"`), expected: 1 },
    { name: `1000 mistakes: ${extension}`, extension, text: `[${many(1000, () => '{ "response": 1 }', ',\n')}]`, expected: /^fixture-invalid 1:16 / },
    { name: `3000 records of test data: ${extension}`, extension, text: `[${many(3000, () => '{ "x": 1 }', ',\n')}]`, expected: 'not a fixture file' },
    { name: `20 000 keys of one object: ${extension}`, extension, text: jsonBody(`{${many(20_000, (i) => `"k${i}": 1`, ', ')}}`), expected: 1 },
  ]),

  // The parser went on for ever at the end of a text that ends inside of an escape: a file that is half written.
  { name: 'a text that ends with a backslash', extension: 'json5', text: '[{ path: "/a\\', expected: /^fixture-syntax \d+:\d+ / },
  { name: 'a text in single quotes that ends with a backslash', extension: 'json5', text: "['\\", expected: /^fixture-syntax \d+:\d+ / },
  { name: 'a comment that ends with a backslash', extension: 'json5', text: '[{ path: "/a" }] // \\', expected: 1 },
  { name: 'JSON that ends with a backslash', extension: 'json', text: '["\\', expected: /^fixture-syntax 1:\d+ / },
  // A request for it ended the server: each of the two parameters had a part of the escape.
  { name: 'two parameters in one segment, and an escape', extension: 'json5', text: '[{ path: "/:a:b" }, { path: "/%" }]', expected: 2 },
  { name: 'an endpoint whose only route has errors', extension: 'json5', text: '[{ path: "/a", response: { body: 1 } }, { path: "/a" }]', expected: /^default-route-duplicate 1:\d+ / },
  { name: 'NaN and Infinity', extension: 'json5', text: jsonBody('[NaN, -Infinity, +1, .5, 0xff]'), expected: 1 },
  { name: 'a number that no number can hold', extension: 'json5', text: jsonBody('0xffffffffffffffffffffffffffffffff'), expected: 1 },

  { name: 'aliases that write out to more than memory holds', extension: 'yaml', text: `- path: /a\n  response:\n    body:\n${bomb(12, '      ')}`, expected: /^fixture-syntax 1\d:\d+ .*aliases/ },
  { name: 'aliases that write out to much', extension: 'yaml', text: `- path: /a\n  response:\n    body:\n${bomb(5, '      ')}`, expected: 1 },
  { name: 'an alias of a long text, many times', extension: 'yaml', text: yamlBody(`[&a "${'x'.repeat(10_000)}", ${Array(5000).fill('*a').join()}]`), expected: /^fixture-syntax 2:\d+ .*aliases/ },
  { name: '500 aliases of one anchor', extension: 'yaml', text: `- { path: /a, response: { headers: &h { x-a: b } } }\n${many(500, (i) => `- { path: /a${i}, response: { headers: *h } }`)}`, expected: 501 },
  { name: 'an alias inside of what it names', extension: 'yaml', text: '- &a { path: /a, response: { body: *a } }', expected: /^fixture-syntax 1:36 .*"\*a" .*own value/ },
  { name: 'a merge of what it stands in', extension: 'yaml', text: '- &a { <<: *a, path: /a }', expected: /^fixture-syntax 1:12 .*"\*a" .*own value/ },
  { name: 'a list of nothing but itself', extension: 'yaml', text: '&a [*a]', expected: /^fixture-syntax 1:5 / },
  { name: 'an alias without an anchor', extension: 'yaml', text: '- *a', expected: /^fixture-syntax 1:3 .*"\*a" .*anchor/ },
  { name: 'an alias as a key', extension: 'yaml', text: '- &a path: /a\n- *a : /b', expected: 2 },
  { name: 'an anchor of a key', extension: 'yaml', text: yamlBody('{ &k x: 1, y: *k }'), expected: 1 },
  { name: 'a merge of the prototype', extension: 'yaml', text: '- path: /a\n  <<: { __proto__: { x: 1 } }', expected: /^fixture-unknown-key 2:\d+ .*"__proto__"/ },
  { name: 'a list as a key', extension: 'yaml', text: '- ? [a, b]\n  : 1', expected: /^fixture-syntax 1:5 .*key is a list/ },
  { name: 'a key twice', extension: 'yaml', text: yamlBody('{ a: 1, "a": 2 }'), expected: /^fixture-syntax 2:29 .*"a" .*twice/ },
  { name: 'a key twice, as a number and as text', extension: 'yaml', text: yamlBody('{ 1: 1, "1": 2 }'), expected: /^fixture-syntax 2:29 .*"1" .*twice/ },
  { name: 'no key', extension: 'yaml', text: yamlBody('{ : 1 }'), expected: 1 },
  { name: 'a tag of another program', extension: 'yaml', text: yamlBody('!include other.yaml'), expected: /^fixture-syntax 2:21 .*Unresolved tag: !include/ },
  { name: 'a tag that would be code', extension: 'yaml', text: '- !!js/function "() => 1"', expected: /^fixture-syntax 1:3 .*Unresolved tag: !!js\/function/ },
  { name: 'a type that JSON does not have', extension: 'yaml', text: yamlBody('!!set { a, b }'), expected: /^fixture-syntax 2:21 .*Unresolved tag: !!set/ },
  { name: 'a directive for YAML 1.1', extension: 'yaml', text: `%YAML 1.1\n---\n${yamlBody('[yes, 2001-12-14, 0o17, 1_000]')}`, expected: 1 },
  { name: 'two documents', extension: 'yaml', text: '- path: /a\n---\n- path: /b\n', expected: /^fixture-syntax 2:1 .*multiple documents/ },
  { name: 'not a number', extension: 'yaml', text: '- { path: /a, response: { delay: .nan } }', expected: /^fixture-invalid 1:\d+ "delay"/ },
  { name: 'more YAML than is read', extension: 'yaml', text: `# ${'x'.repeat(20_000_000)}`, expected: /^fixture-too-large / },
  { name: 'block maps 1 500 levels deep', extension: 'yaml', text: many(1500, (i) => `${' '.repeat(i)}a:`), expected: tooComplex },
  ...['%', '&', '*', '- <<:', '\t- a'].map((text): Case => ({
    name: `hardly any YAML: ${JSON.stringify(text)}`,
    extension: 'yaml',
    text,
    expected: /^fixture-syntax \d+:\d+ /,
  })),
  ...['? ', '!', '|', '>'].map((text): Case => ({
    name: `YAML of a value that is no list: ${JSON.stringify(text)}`,
    extension: 'yaml',
    text,
    expected: 'not a fixture file',
  })),

  ...modules.map(({ text, ...rest }) => ({ ...rest, text: text + naming })),

  // Anything else is not run.
  ...['', 'throw null', "export const users = [{ id: 1, path: '/a' }]", 'export default class {}', '@<A>'].map((text): Case => ({
    name: `a module that does not look like a fixture: ${text}`,
    extension: 'ts',
    text,
    expected: 'not a fixture file',
  })),
  // The look at a module took time that grew with the square of such a line.
  { name: '50 000 declarations without a value', extension: 'ts', text: `export default a\n${'const a:'.repeat(50_000)}`, expected: 'not a fixture file' },
  ...['export { ', 'export default ', 'export default a\nconst a = ['].map((text): Case => ({
    name: `25 000 times ${text}`,
    extension: 'ts',
    text: text.repeat(25_000),
    expected: 'not a fixture file',
  })),
  { name: 'a default export of 100 000 names', extension: 'ts', text: `export default [${'a,'.repeat(100_000)}`, expected: 'not a fixture file' },
  { name: 'declarations in a circle', extension: 'ts', text: 'export default a\nconst a = b\nconst b = a\n'.repeat(5000), expected: 'not a fixture file' },
  { name: 'a list of exports that is one word', extension: 'ts', text: `export default a\nexport {${'x'.repeat(400_000)}`, expected: 'not a fixture file' },
] // prettier-ignore
