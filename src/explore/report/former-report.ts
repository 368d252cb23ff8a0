import { readdirSync, readFileSync, type Dirent } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { asJson } from '../../core/values/json-value.ts'
import type { Cause } from '../judge/causes.ts'
import { isProblem, verdicts, type Verdict } from '../judge/judge.ts'
import type { Finding } from '../explore.ts'

const text = v.string()
const picture = v.pipe(text, v.regex(/^screenshots\/[\w-]+\.webp$/))
const finding = { id: text, request: text, title: text, kind: text, reason: text }
const schema = v.looseObject({
  url: text,
  isComplete: v.boolean(),
  screenshot: v.union([v.literal(''), picture]),
  usual: v.optional(v.array(v.looseObject({ page: text, screenshot: picture }))),
  findings: v.array(
    v.looseObject({ ...finding, screenshot: v.optional(picture), verdict: v.picklist(verdicts) }),
  ),
})

/** `undefined` for what is not the JSON of a report. */
export function readReport(json: string): ExploreReport | undefined {
  const value = asJson(json)?.value
  return v.is(schema, value) ? (value as unknown as ExploreReport) : undefined
}

export interface FormerReport {
  /** The report; absent if it was not begun. */
  report?: ExploreReport
  /** Screenshots of the report that still exist. */
  pictures: readonly string[]
}

const written = ['report.json', 'report.html', 'junit.xml', 'screenshots']

/** @returns the name of what is not of a report; a link may lead to a file of somebody else */
export function readFormerReport(folder: string): FormerReport | string {
  const entries = entriesOf(folder).filter(({ name }) => !name.startsWith('.'))
  const isWritten = (one: Dirent) => (one.name === 'screenshots' ? one.isDirectory() : one.isFile())
  const taken = entries.find((one) => written.includes(one.name) && !isWritten(one))
  if (taken) return taken.name
  const shots = entriesOf(join(folder, 'screenshots'))
  const pictures = shots.map(({ name }) => `screenshots/${name}`)
  const link = shots.findIndex((one) => one.name.endsWith('.webp') && !one.isFile())
  if (link !== -1) return pictures[link]!
  if (!entries.some(({ name }) => name === 'report.json')) {
    const first = entries.find(({ name }) => name !== 'screenshots' || pictures.length > 0)
    return first?.name ?? { pictures: [] }
  }
  const json = readFileSync(join(folder, 'report.json'), 'utf8')
  const report = readReport(json)
  if (!report) return 'report.json'
  const listed = [...json.matchAll(/"screenshot": ?"(screenshots\/[\w-]+\.webp)"/g)].map(([, path]) => path)
  return { report, pictures: pictures.filter((path) => listed.includes(path)) }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

export interface ReportedFinding extends Omit<Finding, 'error'> {
  /** The stack, or the message. */
  error?: string
  /** The page, where there are several. */
  page?: string
  /** Path relative to the folder of the report; absent where a picture shows nothing new. */
  screenshot?: string
  /** Why the finding is accepted. */
  accepted?: string
}

/** `report.json` */
export interface ExploreReport {
  url: string
  /** Addresses of all pages, where there are several. */
  pages?: string[]
  server?: string
  /** `chromium-headless-shell 150.0.7871.46` */
  browser?: string
  isComplete: boolean
  counts: Record<Verdict, number>
  /** Causes in the application, the worst first. */
  causes: Cause[]
  /** Shows the first page without a sad path. */
  screenshot: string
  /** Pictures of each page without a sad path, where there are several. */
  usual?: { page: string; screenshot: string }[]
  findings: ReportedFinding[]
}

/** Whether it is a problem that nobody has accepted. */
export function isOpen({ verdict, accepted }: ReportedFinding): boolean {
  return isProblem(verdict) && accepted === undefined
}
