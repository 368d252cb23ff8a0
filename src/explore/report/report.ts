import { accessSync, constants, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { redactText, redactUrl } from '../../core/redact/redact.ts'
import { hash32 } from '../../core/values/hash.ts'
import { defined } from '../../core/values/values.ts'
import { writeFile } from '../../files/write-files.ts'
import { findAccepted, type Accepted } from '../accepted.ts'
import type { Finding } from '../explore.ts'
import { causesOf, isOfCause, type Cause } from '../judge/causes.ts'
import { isProblem, verdicts, type Verdict } from '../judge/judge.ts'
import { isOpen, type ExploreReport, type ReportedFinding, readFormerReport } from './former-report.ts'
import { junit, type TestCase } from './junit.ts'
import { reportPage } from './page.ts'

/** Characters of an answer that are kept. */
const maxText = 4000

/** The folder with a report. Each finding is saved immediately, so a stopped run can continue. */
export class ReportFolder {
  readonly report: ExploreReport
  #planned: readonly string[] = []
  readonly #former: readonly string[]

  /** @throws Error that says why the folder can't take the report */
  constructor(
    readonly folder: string,
    addresses: string | readonly string[],
    readonly accepted: readonly Accepted[],
    isFresh = false,
    server?: string,
    /** Whether what a complete report has found is kept, too, until it is tried again. */
    keepsAll = false,
  ) {
    const former = readFormerReport(folder)
    if (typeof former === 'string') throw new Error(`it has something else, ${former}`)
    const pictures = join(folder, 'screenshots')
    mkdirSync(pictures, { recursive: true })
    for (const path of [folder, pictures]) accessSync(path, constants.W_OK)
    const { report: before } = former
    const pages = [addresses].flat().map((address) => redactUrl(address))
    const [url = ''] = pages
    const isSame = before?.url === url && (before.pages ?? [url]).join('\n') === pages.join('\n')
    const goesOn = !isFresh && isSame && (keepsAll || !before.isComplete)
    const findings = goesOn
      ? before.findings.filter(({ screenshot: path }) => path === undefined || former.pictures.includes(path))
      : []
    this.#former = goesOn ? [] : former.pictures
    const of = {
      pages: pages.length > 1 ? pages : undefined,
      server: server && redactUrl(server),
      usual: goesOn
        ? before.usual?.filter(({ screenshot: path }) => former.pictures.includes(path))
        : undefined,
    }
    const counts = countVerdicts(findings)
    this.report = { url, ...defined(of), isComplete: false, counts, causes: [], screenshot: '', findings }
  }

  /** @param page one of several */
  addUsual(picture: Buffer, page = ''): void {
    const screenshot = this.#savePicture(`good ${page}`.trim(), picture)
    this.report.screenshot ||= screenshot
    const others = this.report.usual?.filter((one) => one.page !== page) ?? []
    if (page !== '') this.report.usual = [...others, { page, screenshot }]
  }

  #savePicture(name: string, picture: Buffer): string {
    const path = `screenshots/${name.replace(/[^\w]+/g, '-').slice(0, 80)}-${hash32(name).toString(36)}.webp`
    this.#write(path, picture)
    return path
  }

  /** @param page one of several */
  add(finding: Finding, picture: Buffer | undefined, page?: string): ReportedFinding {
    const { error, answer, reason, ...others } = finding
    const ofPage = page && redactUrl(page)
    const about = defined({
      page: ofPage,
      reason: redactText(reason),
      error: error && redactText(error.stack ?? error.message),
      screenshot: picture && this.#savePicture([ofPage, finding.id].filter(Boolean).join(' '), picture),
      answer: answer && { ...answer, text: answer.text.slice(0, maxText) },
    })
    const reported = this.#withReason({ ...others, ...about })
    // It may be made again.
    const kept = this.report.findings.filter(({ id, page }) => id !== finding.id || page !== ofPage)
    this.#setFindings([...kept, reported])
    this.#writeJson()
    return reported
  }

  #setFindings(findings: ReportedFinding[]): void {
    this.report.findings = findings
    this.report.counts = countVerdicts(findings)
  }

  /** The file may have changed since a finding was made. */
  #withReason(found: ReportedFinding): ReportedFinding {
    const finding = { ...found }
    delete finding.accepted
    const accepted = isProblem(finding.verdict) ? findAccepted(this.accepted, finding) : undefined
    return { ...finding, ...(accepted && { accepted: accepted.reason }) }
  }

  /** @param ids in the order in which their findings are listed; other findings of a run before are dropped */
  plan(ids: readonly string[], page?: string): void {
    this.#planned = [...this.#planned, ...ids.map((id) => keyOf(id, page && redactUrl(page)))]
    if (page === undefined) this.#arrange()
    for (const path of this.#former) rmSync(join(this.folder, path), { force: true })
    this.#writeJson()
  }

  #arrange(): void {
    const byKey = new Map(this.report.findings.map((one) => [keyOf(one.id, one.page), this.#withReason(one)]))
    this.#setFindings(this.#planned.flatMap((key) => byKey.get(key) ?? []))
    this.report.causes = causesOf(this.report.findings.filter(isOpen))
  }

  finish(isComplete: boolean): void {
    this.#arrange()
    this.report.isComplete = isComplete
    this.#writeJson()
    const picture = (path: string) => readFileSync(join(this.folder, path)).toString('base64')
    const { url, findings, causes } = this.report
    const cases = findings.map((one) => testCase(one, causes))
    this.#write('junit.xml', junit(url, cases))
    this.#write('report.html', reportPage(this.report, picture))
  }

  #writeJson(): void {
    this.#write('report.json', `${JSON.stringify(this.report, null, 2)}\n`)
  }

  #write(name: string, content: string | Buffer): void {
    writeFile(join(this.folder, name), content, { within: [this.folder] })
  }
}

function keyOf(id: string, page = ''): string {
  return `${page} ${id}`
}

function countVerdicts(findings: readonly ReportedFinding[]): Record<Verdict, number> {
  const count = (wanted: Verdict) => findings.filter(({ verdict }) => verdict === wanted).length
  return Object.fromEntries(verdicts.map((verdict) => [verdict, count(verdict)])) as Record<Verdict, number>
}

function testCase(finding: ReportedFinding, causes: readonly Cause[]): TestCase {
  const cause = causes.find((one) => isOfCause(one, finding))
  const about = cause && `Cause ${cause.number} of ${causes.length}: ${cause.title}`
  const { page, request, title, verdict, reason, error = '', accepted } = finding
  const message = `${verdict}: ${reason}`
  return {
    suite: page === undefined ? request : `${page} ${request}`,
    name: title,
    ...(isOpen(finding) && {
      failure: { type: verdict, message, text: [about, error].filter(Boolean).join('\n\n') },
    }),
    ...(accepted !== undefined && { skipped: `${message} Accepted: ${accepted}` }),
  }
}
