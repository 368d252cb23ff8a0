import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { diagnoseSetup } from '../diagnostics/setup-texts.ts'
import { MockApiError } from '../diagnostics/format.ts'
import { describeValue } from '../values/describe-value.ts'
import { graphqlKinds } from './graphql-options.ts'
import { isLogger, levels } from './logger.ts'
import {
  findProblems,
  isBoolean,
  isOneOf,
  isOnOrOff,
  isPath,
  isText,
  isWholeNumber,
  type OptionKind,
  type OptionKinds,
  type OptionProblem,
} from './option-kinds.ts'
import type { Options } from './options.ts'
import { recordKinds } from './record-options.ts'

const onOrOff: OptionKind = { expected: 'true or false', accepts: isBoolean }

/** The options of plugins. */
export const pluginKinds = {
  root: { expected: 'the path of a folder', accepts: isText },
  fixtures: {
    expected: 'a folder, a glob, or a list of at least one of them',
    accepts: isText,
    acceptsItem: isText,
    needsItem: true,
  },
  base: { expected: 'a path that begins with "/"', accepts: (value) => value === '' || isPath(value) },
  enabled: {
    expected: 'true or false, or the text "1", "0", "on", "off", "yes", "no", or ""',
    accepts: isOnOrOff,
  },
  unmatched: { expected: '"error" or "passthrough"', accepts: isOneOf(['error', 'passthrough']) },
  navigation: { expected: '"answer" or "passthrough"', accepts: isOneOf(['answer', 'passthrough']) },
  scenario: {
    expected: 'the name of a scenario, or a list of names',
    accepts: isString,
    acceptsItem: isString,
  },
  bodyLimit: { expected: 'a whole number of bytes, 0 or more', accepts: isWholeNumber(0) },
  functionTimeout: {
    expected: 'a whole number of milliseconds, 0 to 2147483647',
    accepts: isWholeNumber(0, 2_147_483_647),
  },
  routeHeader: onOrOff,
  graphql: { expected: 'an object', options: graphqlKinds },
  logLevel: { expected: '"silent", "error", "warn" or "info"', accepts: isOneOf(levels) },
  logger: { expected: 'an object with the functions info, warn and error', accepts: isLogger },
  watch: onOrOff,
  inspector: { expected: 'true, false or { preview: true }', accepts: isInspector },
  record: {
    expected: 'true, false, or an object such as { target: "https://staging.example" }',
    accepts: isBoolean,
    options: recordKinds,
  },
  build: {
    expected: '"service-worker", or an object such as { type: "service-worker", badge: true }',
    accepts: isOneOf(['service-worker']),
    options: {
      type: { expected: '"service-worker"', accepts: isOneOf(['service-worker']) },
      badge: onOrOff,
      importedBy: { expected: 'the path of a script, such as "sw.js"', accepts: isText },
    },
  },
} satisfies Record<keyof Options, OptionKind>

function isString(value: unknown): boolean {
  return typeof value === 'string'
}

function isInspector(value: unknown): boolean {
  return isBoolean(value) || findProblems(value, { preview: onOrOff }).length === 0
}

/**
 * Checks options when the plugin is created, so that the stack of the error leads to the mistake.
 *
 * @param kinds the options that there are; for other entries than plugins, see `entry-options.ts`
 * @throws MockApiError with one diagnostic for each invalid option
 */
export function checkOptions(options: object, kinds: OptionKinds = pluginKinds): void {
  const problems = findProblems(options, kinds)
  if (problems.length > 0) throw new MockApiError(problems.map(toDiagnostic))
}

/** The same function, for webpack and Rspack: they call a function in their `plugins` with the compiler. */
export function refusingCompiler<Plugin>(
  create: (options?: Options) => Plugin,
): (options?: Options) => Plugin {
  return (options) => {
    if (options && 'hooks' in Object(options)) refuseUncalled()
    return create(options)
  }
}

/** For a plugin that is in the config without having been called. */
export function refuseUncalled(): never {
  throw new MockApiError([diagnoseSetup('plugin-not-called', {})])
}

function toDiagnostic({ path, expected, received, known }: OptionProblem): Diagnostic {
  const name = path.join('.')
  return expected === undefined
    ? diagnoseSetup('option-unknown', {}, { option: name, known })
    : diagnoseSetup('option-invalid', {}, { key: name, expected, received: describeValue(received) })
}
