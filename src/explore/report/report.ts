import { accessSync, constants, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { redactText, redactUrl } from '../../core/redact/redact.ts'
import { addToHash, hashStart, mixHash } from '../../core/values/hash.ts'
import { writeFile } from '../../files/write-files.ts'
import { findAccepted, type Accepted } from '../accepted.ts'
import type { Finding } from '../explore.ts'
import { verdicts, type Verdict } from '../judge.ts'
import { isOpen, type Report, type ReportedFinding, readFormerReport } from './former-report.ts'
import { junit, type TestCase } from './junit.ts'
import { reportPage } from './page.ts'

/** Characters of an answer that are kept. */
const maxText = 4000

/** The folder with a report. Each finding is saved immediately, so a stopped run can continue. */
export class ReportFolder {
  readonly report: Report
  #planned: readonly string[] = []
  readonly #former: readonly string[]

  /** @throws Error that says why the folder can't take the report */
  constructor(
    readonly folder: string,
    address: string,
    readonly accepted: readonly Accepted[],
    isFresh = false,
    server?: string,
  ) {
    const former = readFormerReport(folder)
    if (typeof former === 'string') throw new Error(`it has something else, ${former}`)
    const pictures = join(folder, 'screenshots')
    mkdirSync(pictures, { recursive: true })
    for (const path of [folder, pictures]) accessSync(path, constants.W_OK)
    const { report: before } = former
    const url = redactUrl(address)
    const goesOn = !isFresh && before?.url === url && !before.isComplete
    const findings = goesOn ? before.findings.filter((one) => former.pictures.includes(one.screenshot)) : []
    this.#former = goesOn ? [] : former.pictures
    this.report = {
      url,
      ...(server !== undefined && { server: redactUrl(server) }),
      isComplete: false,
      counts: countVerdicts(findings),
      screenshot: '',
      findings,
    }
  }

  savePicture(name: string, picture: Buffer): string {
    const hash = mixHash(addToHash(hashStart, name)).toString(36)
    const path = `screenshots/${name.replace(/[^\w]+/g, '-').slice(0, 80)}-${hash}.webp`
    this.#write(path, picture)
    return path
  }

  add(finding: Finding, picture: Buffer): ReportedFinding {
    const { error, answer, reason, ...others } = finding
    const reported = this.#withReason({
      ...others,
      reason: redactText(reason),
      ...(error && { error: redactText(error.stack ?? error.message) }),
      screenshot: this.savePicture(finding.id, picture),
      ...(answer && { answer: { ...answer, text: answer.text.slice(0, maxText) } }),
    })
    this.report.findings.push(reported)
    this.report.counts[reported.verdict]++
    this.#writeJson()
    return reported
  }

  /** The file may have changed since a finding was made. */
  #withReason(found: ReportedFinding): ReportedFinding {
    const finding = { ...found }
    delete finding.accepted
    const accepted = finding.verdict === 'handled' ? undefined : findAccepted(this.accepted, finding)
    return { ...finding, ...(accepted && { accepted: accepted.reason }) }
  }

  /** @param ids in the order in which their findings are listed; other findings of a run before are dropped */
  plan(ids: readonly string[]): void {
    this.#planned = ids
    this.#arrange()
    for (const path of this.#former) rmSync(join(this.folder, path), { force: true })
    this.#writeJson()
  }

  #arrange(): void {
    const byId = new Map(this.report.findings.map((finding) => [finding.id, this.#withReason(finding)]))
    this.report.findings = this.#planned.flatMap((id) => byId.get(id) ?? [])
    this.report.counts = countVerdicts(this.report.findings)
  }

  finish(isComplete: boolean): void {
    this.#arrange()
    this.report.isComplete = isComplete
    this.#writeJson()
    const picture = (path: string) => readFileSync(join(this.folder, path)).toString('base64')
    this.#write('junit.xml', junit(this.report.url, this.report.findings.map(testCase)))
    this.#write('report.html', reportPage(this.report, picture))
  }

  #writeJson(): void {
    this.#write('report.json', `${JSON.stringify(this.report, null, 2)}\n`)
  }

  #write(name: string, content: string | Buffer): void {
    writeFile(join(this.folder, name), content, { within: [this.folder] })
  }
}

function countVerdicts(findings: readonly ReportedFinding[]): Record<Verdict, number> {
  const count = (wanted: Verdict) => findings.filter(({ verdict }) => verdict === wanted).length
  return Object.fromEntries(verdicts.map((verdict) => [verdict, count(verdict)])) as Record<Verdict, number>
}

function testCase(finding: ReportedFinding): TestCase {
  const { request, title, verdict, reason, error = '', accepted } = finding
  const message = `${verdict}: ${reason}`
  return {
    ...{ suite: request, name: title },
    ...(isOpen(finding) && { failure: { type: verdict, message, text: error } }),
    ...(accepted !== undefined && { skipped: `${message} Accepted: ${accepted}` }),
  }
}
