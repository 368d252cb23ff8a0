import { Composer, Lexer, Parser, type Document } from 'yaml'
import { explainYaml } from './explain-yaml.ts'
import { YamlError } from './yaml-value.ts'

/** Maximum nesting of lists and maps. */
const maxDepth = 1000

const options = {
  schema: 'core', // even if a directive asks for YAML 1.1, which has types that JSON does not have
  merge: true,
  resolveKnownTags: false,
  uniqueKeys: false, // checked by toValue, in linear time
} as const

/**
 * Parses one YAML document like the library's `parseDocument`, but with a maximum depth: the library is recursive, and a
 * stack overflow inside V8's regular expression compiler ends the process.
 *
 * @throws YamlError at the first error
 */
export function parseYaml(text: string): Document {
  const composer = new Composer(options)
  const [document, second] = withoutStackTraces(() => [
    ...firstTwo(composer.compose(tokensOf(text), true, text.length)),
  ])
  // An unknown tag, such as `!include`, would be ignored silently.
  const unknownTag = document!.warnings.find(({ code }) => code === 'TAG_RESOLVE_FAILED')
  const error = document!.errors[0] ?? unknownTag
  if (error?.code === 'RESOURCE_EXHAUSTION') throw error
  if (error) throw explainYaml(error)
  if (second) throw explainYaml({ message: multipleDocuments, pos: second.range })
  return document as Document
}

/** The library creates an error object per mistake, and a text can have a hundred thousand of them. */
function withoutStackTraces<T>(work: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return work()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** The library's own message. */
const multipleDocuments = 'Source contains multiple documents'

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
      throw new YamlError(
        `it nests deeper than ${maxDepth} levels`,
        undefined,
        parser.offset,
        'fixture-too-complex',
      )
  }
  yield* parser.end()
}
