import { createDiagnose, suggest, type Texts } from '../../core/diagnostics/text.ts'
import { quote } from '../../core/values/describe-value.ts'

const orUpdate = ', or run with --update'

const typeNames: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  number: 'a number',
  text: 'a text',
  list: 'a list',
  object: 'an object',
}

function nameTypes(types: readonly string[]): string {
  return types.map((type) => typeNames[type] ?? type).join(' or ')
}

/** A document in place of a backend: it says what may be, and may not know all. */
interface Documented {
  document?: string | undefined
}

const inFixture = 'Change the fixture, or tell the backend.'

export const againstTexts = {
  'against-key-gone': (
    d: Documented & { key: string; renamedTo?: string | undefined; isOptional: boolean },
  ) => {
    const renamed = d.renamedTo === undefined ? '' : ` ${quote(d.renamedTo)} is new.`
    const change = d.renamedTo === undefined ? 'Remove it' : 'Rename it'
    if (d.document !== undefined)
      return {
        severity: 'note',
        message: `${quote(d.key)} is not in the answers of ${d.document}.${renamed}`,
        fix: `${change}, or add it to the document.`,
      }
    return {
      ...(d.isOptional && { severity: 'note' as const }),
      message: d.isOptional
        ? `${quote(d.key)}, which not every fixture has, is gone.`
        : `${quote(d.key)} is gone.${renamed}`,
      fix: `${change}${d.isOptional ? '' : orUpdate}.`,
    }
  },
  'against-key-optional': (d: { key: string }) => ({
    severity: 'note',
    message: `Some answers do not have ${quote(d.key)}. All fixtures have it.`,
    fix: 'Leave it out of one fixture, so that pages meet that, too.',
  }),
  'against-key-new': (d: { key: string; types: readonly string[]; isOptional: boolean }) => ({
    severity: 'note',
    message: `${quote(d.key)} is new: ${nameTypes(d.types)}.`,
    fix: `Add it if the application reads it${d.isOptional ? '' : orUpdate}.`,
  }),
  'against-type': (d: { key: string; ours: readonly string[]; theirs: readonly string[] }) => ({
    message: `${d.key === '' ? 'The body' : quote(d.key)} is ${nameTypes(d.theirs)}, not ${nameTypes(d.ours)}.`,
    fix: inFixture,
  }),
  'against-null': (d: Documented & { key: string }) => ({
    ...(d.document !== undefined && { severity: 'note' as const }),
    message: `${d.key === '' ? 'The body' : quote(d.key)} ${d.document === undefined ? 'is null' : `may be null in ${d.document}`}. No fixture has null there.`,
    fix: 'Write null in one fixture, so that pages meet that, too.',
  }),
  'against-format': (d: { key: string; ours: string; theirs: string | undefined }) => ({
    message: `${quote(d.key)} is ${d.theirs === undefined ? `no ${d.ours} any more` : `of the format ${d.theirs}, not ${d.ours}`}.`,
    fix: inFixture,
  }),
  'against-word': (d: Documented & { key: string; words: readonly string[] }) => ({
    severity: 'note',
    message: `${quote(d.key)} ${d.document === undefined ? 'has' : 'may be'} ${d.words.map(quote).join(', ')}, which no fixture has.`,
    fix: 'Add a fixture with it if the application treats it in a way of its own.',
  }),
  'against-member': (d: Documented & { key: string; words: readonly string[] }) => ({
    severity: 'note',
    message: `${quote(d.key)} ${d.document === undefined ? 'has' : 'may be'} ${d.words.map(quote).join(', ')}, which no fixture has: ${d.document === undefined ? 'a new member' : 'members'} of the union.`,
    fix: 'Add a fixture with it.',
  }),
  'against-endpoint-gone': (d: { endpoint: string; status: number; allow: string | undefined }) => ({
    message: `${d.endpoint} is gone: it answers ${d.status}${d.allow === undefined ? '' : `, and allows ${d.allow}`}.`,
    fix: 'Change the path or the method of the route, or remove it.',
  }),
  'against-status': (d: { endpoint: string; ours: number; theirs: number; isBare: boolean }) => {
    // An API may have always refused a request without parameters.
    const isIncomplete = d.isBare && (d.theirs === 400 || d.theirs === 422)
    return {
      ...(isIncomplete && { severity: 'warning' as const }),
      message: `${d.endpoint} answers ${d.theirs}, not ${d.ours}.`,
      fix: isIncomplete
        ? 'Write the parameters that the application sends into "when".'
        : d.theirs === 401
          ? `Give credentials with --header. Otherwise: ${inFixture}`
          : inFixture,
    }
  },
  'against-status-new': (d: { endpoint: string; status: number }) => ({
    severity: 'note',
    message: `${d.endpoint} has answered ${d.status} to a request that no route answers. No fixture has that status.`,
    fix: 'Add a fixture with it if the application treats it in a way of its own.',
  }),
  'against-content-type': (
    d: Documented & { endpoint: string; ours: string; theirs: string; isWritten?: boolean },
  ) => ({
    // A document names one kind of JSON, as does a fixture that does not set it. Pages read all.
    ...(!d.isWritten && /json/.test(d.ours) && /json/.test(d.theirs) && { severity: 'warning' as const }),
    message: `${d.endpoint} answers with ${d.theirs}, not ${d.ours}${d.document === undefined ? '' : `, as ${d.document} says`}.`,
    fix: inFixture,
  }),
  'against-header-gone': (d: Documented & { name: string }) => ({
    ...(d.document !== undefined && { severity: 'note' as const }),
    message: `The header ${quote(d.name)} is ${d.document === undefined ? 'gone' : `not in ${d.document}`}.`,
    fix: 'Remove it if the application does not need it, or tell the backend.',
  }),
  'against-header-new': (d: { name: string; document: string }) => ({
    severity: 'note',
    message: `The header ${quote(d.name)} is required in ${d.document}. The fixture does not set it.`,
    fix: 'Add it if the application reads it.',
  }),
  'against-parameter-unknown': (d: { name: string; document: string; known: readonly string[] }) => ({
    severity: 'warning',
    message: `The query parameter ${quote(d.name)} is not in ${d.document}.`,
    fix: suggest(d.name, d.known, 'Its parameters'),
  }),
  'against-parameter-ignored': (d: { name: string; values: string }) => ({
    message: `The parameter ${quote(d.name)} is ignored: the answers for ${d.values} are the same.`,
    fix: 'Look for its new name, and change it in "when".',
  }),
  'against-needs-sign-in': (d: Documented & { endpoint: string; hasSignIn: boolean }) => ({
    // With credentials for several endpoints, sign-in is nothing new.
    ...(d.hasSignIn && { severity: 'note' as const }),
    message:
      d.document === undefined
        ? `${d.endpoint} needs sign-in${d.hasSignIn ? '' : ' now'}: without credentials, it answers 401. No fixture does.`
        : `${d.endpoint} needs sign-in in ${d.document}. No fixture answers 401.`,
    fix: 'Add a route that answers 401 without them.',
  }),
  'against-operation-refused': (d: { operation: string; reason: string }) => ({
    message: `The operation ${quote(d.operation)} is refused: ${d.reason}`,
    fix: 'Change the operation of the application and the fixture.',
  }),
  'against-graphql-error': (d: { operation: string; paths: string }) => ({
    message: `The operation ${quote(d.operation)} has errors${d.paths}. The fixture has data only.`,
    fix: 'Look at the answer of the backend. If that is usual, add a fixture with it.',
  }),
  'against-accepted-gone': (d: { against: string }) => ({
    severity: 'note',
    message: `The accepted difference ${quote(d.against)} no longer occurs.`,
    fix: 'Remove it from the list.',
  }),
} satisfies Texts<'warning' | 'note'>

export const diagnoseAgainst = createDiagnose<typeof againstTexts, 'warning' | 'note'>(againstTexts)
