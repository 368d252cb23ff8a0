import { Composer, Lexer, Parser, type Document } from 'yaml'
import { YamlError } from './yaml-value.ts'

/** Levels of lists and maps in each other that are read. */
const maxDepth = 1000

const options = {
  schema: 'core', // whatever version a directive names: 1.1 has booleans and types that JSON does not have
  merge: true,
  resolveKnownTags: false,
  uniqueKeys: false, // compared where the value is made, in a time that does not grow with the square of the keys
} as const

/**
 * Parses one YAML document, as the library's `parseDocument` does, but stops at a depth that the library can read: it
 * descends by recursion, and where the stack ends inside V8's compiler of regular expressions, the process ends with it.
 *
 * @throws YamlError at the first error
 */
export function parseYaml(text: string): Document {
  const composer = new Composer(options)
  const [document, second] = withoutStackTraces(() => [
    ...firstTwo(composer.compose(tokensOf(text), true, text.length)),
  ])
  // A tag that means nothing here, such as `!include`, would leave what it stands before as it is.
  const unknownTag = document!.warnings.find(({ code }) => code === 'TAG_RESOLVE_FAILED')
  const error = document!.errors[0] ?? unknownTag
  if (error?.code === 'RESOURCE_EXHAUSTION') throw error
  if (error) throw new YamlError(error.message.replace('tag:yaml.org,2002:', '!!'), error.pos[0])
  if (second) throw new YamlError(multipleDocuments, second.range[0])
  return document as Document
}

/** The library makes an error object for each mistake, and a text can have a hundred thousand of them. */
function withoutStackTraces<T>(work: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return work()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

const multipleDocuments =
  'The file holds multiple documents. Write one list, without "---" between its routes'

function* firstTwo<T>(values: Iterable<T>): Generator<T, void> {
  let count = 0
  for (const value of values) {
    yield value
    if (++count === 2) return
  }
}

function* tokensOf(text: string) {
  const parser = new Parser()
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme)
    if (parser.stack.length > maxDepth)
      throw new YamlError(`it nests deeper than ${maxDepth} levels`, parser.offset, 'fixture-too-complex')
  }
  yield* parser.end()
}
