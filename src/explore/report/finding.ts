import type { Finding } from '../explore.ts'
import type { Verdict } from '../judge.ts'

export interface ReportedFinding extends Omit<Finding, 'error'> {
  /** The stack, or the message. */
  error?: string
  /** Path relative to the folder of the report. */
  screenshot: string
  /** Why the finding is accepted. */
  accepted?: string
}

/** `report.json` */
export interface Report {
  url: string
  /** The address of the mock API, if it is not on the server of the page. */
  server?: string
  /** Whether the run was finished, and not stopped. */
  isComplete: boolean
  counts: Record<Verdict, number>
  /** Shows the page without a sad path. */
  screenshot: string
  findings: ReportedFinding[]
}

/** Whether it is a problem that nobody has accepted. */
export function isOpen({ verdict, accepted }: ReportedFinding): boolean {
  return verdict !== 'handled' && accepted === undefined
}
