import { formatDiagnostic, formatPlace } from '../../core/diagnostics/format.ts'
import { ended, listSome } from '../../core/diagnostics/text.ts'
import { groupBy } from '../../core/values/collections.ts'
import { plural } from '../../core/values/describe-value.ts'
import { junit, type TestCase } from '../../explore/report/junit.ts'
import type { Terminal } from '../terminal.ts'
import type { CheckedSadPath } from './sad-paths.ts'
import type { CheckFinding } from './texts.ts'

/** `json` is one object; `github` are annotations of GitHub Actions; `junit` is XML, in which errors are failures. */
export const formats = ['text', 'json', 'github', 'junit'] as const
export type ReportFormat = (typeof formats)[number]

export interface Summary {
  routes: number
  /** How many were compared with a schema or an OpenAPI document. */
  compared: number
  operations: number
  files: number
  sadPaths?: readonly CheckedSadPath[]
  /** Sentences about what was compared with a backend, and what was not. */
  against?: readonly string[]
}

export function report(
  terminal: Terminal,
  format: ReportFormat,
  findings: readonly CheckFinding[],
  routes: string,
  summary: Summary,
): void {
  const count = (severity: CheckFinding['severity']) =>
    findings.filter((one) => one.severity === severity).length
  const counts = { errors: count('error'), warnings: count('warning'), notes: count('note') }
  if (format === 'json') {
    const all = findings.map((finding) => ({ ...finding, cause: undefined }))
    return terminal.print(JSON.stringify({ ...counts, ...summary, findings: all }, null, 2))
  }
  const causes = byCause(findings)
  if (format === 'junit') {
    const cases = causes.length > 0 ? causes.map(testCase) : [{ suite: 'fixtures', name: routes }]
    return terminal.print(junit('unplugin-mock-api check', cases).trimEnd())
  }
  for (const finding of causes)
    terminal.print(format === 'github' ? annotation(finding) : `${withStyle(finding, terminal)}\n`)
  const { compared, operations, files, against = [] } = summary
  const parts = [
    routes,
    ...against,
    compared > 0 && against.length === 0 && `${plural(compared, 'route')} compared`,
    files > 0 && `${plural(operations, 'operation')} in ${plural(files, 'file')}`,
    `${plural(counts.errors, 'error')}, ${plural(counts.warnings, 'warning')}, ${plural(counts.notes, 'note')}`,
  ]
  terminal.print(parts.filter(Boolean).join('; '))
}

/** One finding for a mistake that shows in several places, such as all items of a list. */
function byCause(findings: readonly CheckFinding[]): CheckFinding[] {
  const keyOf = ({ code, severity, cause, message }: CheckFinding, index: number) =>
    code.startsWith('check-') ? JSON.stringify([code, severity, cause ?? message]) : index
  const keys = new Map(findings.map((finding, index) => [finding, keyOf(finding, index)]))
  return [...groupBy(findings, (finding) => keys.get(finding)!).values()].map(([first, ...others]) => {
    if (others.length === 0) return first!
    const also = `The same at ${plural(others.length, 'other place')}: ${listSome(others.map(formatPlace))}.`
    return { ...first!, message: `${ended(first!.message)} ${also}` }
  })
}

const colours = { error: 'red', warning: 'yellow', note: 'cyan' } as const

function withStyle(finding: CheckFinding, { style }: Terminal): string {
  const { severity, operation } = finding
  const place = operation ? `\n  Operation: ${operation.name ?? 'anonymous'} (${formatPlace(operation)})` : ''
  return `${style(colours[severity], severity)} ${formatDiagnostic(finding)}${place}`
}

function testCase(finding: CheckFinding): TestCase {
  const { severity, code, file = 'fixtures', line, message, fix, sent } = finding
  const text = `${message} ${fix}`
  return {
    suite: file,
    name: [line, message].filter(Boolean).join(': '),
    ...(severity === 'error'
      ? { failure: { type: code, message: text, text: sent === undefined ? '' : `Sent: ${sent}` } }
      : { skipped: `${severity}: ${text}` }),
  }
}

/** @see https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands */
function annotation({ severity, file, line, column, message, fix, code }: CheckFinding): string {
  const command = severity === 'note' ? 'notice' : severity
  const properties = Object.entries({ file, line, col: column, title: code })
    .filter(([, value]) => value !== undefined)
    .map(
      ([key, value]) => `${key}=${escapeData(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`,
    )
  return `::${command} ${properties.join(',')}::${escapeData(`${message} ${fix}`)}`
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
