import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createJiti } from 'jiti'
import { formatPlace, visible } from '../../core/diagnostics/format.ts'
import { ended } from '../../core/diagnostics/text.ts'
import { splitLogin } from '../../core/values/url-user.ts'
import { redactText, redactUrl } from '../../core/redact/redact.ts'
import { plural } from '../../core/values/describe-value.ts'
import { placeInStack, reasonOf } from '../../core/values/thrown.ts'
import { mayWrite } from '../../files/write-files.ts'
import { acceptedIn } from '../accepted.ts'
import { explore as explorePage, type Plan } from '../../explore/explore.ts'
import { verdicts, type Verdict } from '../../explore/judge.ts'
import { launchBrowser } from '../../explore/launch-browser.ts'
import { isOpen } from '../../explore/report/former-report.ts'
import { ReportFolder } from '../../explore/report/report.ts'
import type { Script } from '../../explore/visit.ts'
import { fileToRead, placeToWrite, projectFolder } from '../places.ts'
import { UsageError, exitCodes, type ExitCode, type Terminal } from '../terminal.ts'

export interface ExploreCommandOptions {
  root?: string
  out: string
  json?: true
  max: number
  only?: string[]
  script?: string
  server?: string
  browser?: string
  accepted?: string
  pages?: number
  limit: number
  quiet: number
  blank: number
  loop: number
  fresh?: true
}

const signals = ['SIGINT', 'SIGTERM'] as const

export async function explore(
  terminal: Terminal,
  address: string,
  given: ExploreCommandOptions,
): Promise<ExitCode> {
  const page = addressOf(address)
  const server = given.server === undefined ? undefined : addressOf(given.server)
  const { url } = page
  const root = projectFolder(terminal, given.root)
  const folder = openReport(root, given, url, server?.url)
  const { report } = folder
  const script =
    given.script === undefined ? {} : await loadScript(fileToRead(root, given.script), given.script)
  const browser = await launchBrowser(root, given.browser)
  let plan: Plan | undefined
  let isStopped = false
  const stop = () => {
    isStopped = true
    void browser.close()
  }
  for (const signal of signals) process.once(signal, stop)
  const progress = () => {
    const [done, all] = [report.findings.length, plan!.sadPaths.length]
    return `${done} of ${all} done, ${all - done} left: ${countsOf(report.counts)}`
  }
  try {
    await explorePage(browser, url, {
      thresholds: { blank: given.blank, loop: given.loop },
      patience: { quiet: given.quiet, limit: given.limit },
      max: given.max,
      ...(given.only && { only: given.only }),
      ...(given.pages !== undefined && { pages: given.pages }),
      script,
      ...(server && { server: server.url }),
      login: page.login ?? server?.login,
      headers: (server ?? page).headers,
      known: new Set(report.findings.map(({ id }) => id)),
      onPlan(found) {
        plan = found
        folder.plan(found.sadPaths.map(({ id }) => id))
        report.screenshot = folder.savePicture('good', found.picture)
        for (const line of introduce(found, url)) terminal.note(line)
        if (report.findings.length > 0)
          terminal.note(`It continues the run that was stopped: ${progress()}. --fresh starts over.`)
      },
      onFinding(finding, picture) {
        const added = folder.add(finding, picture)
        const { verdict, request, title, reason } = added
        if (isOpen(added)) terminal.note(visible(`${verdict}: ${request}: ${title}. ${reason}`))
        if (report.findings.length % 10 === 0) terminal.note(progress())
      },
    })
  } catch (error) {
    const reason = redactText(reasonOf(error).split('\n', 1)[0]!) // Playwright adds its log
    if (!plan) {
      if (!isStopped) throw new Error(reason, { cause: error })
      terminal.note('Stopped, before any sad path was tried.')
      return exitCodes.failed
    }
    folder.finish(false)
    const why = isStopped ? 'Stopped' : `It ended early: ${reason}`
    terminal.note(`${ended(why)} ${progress()}. Run the same command to continue.`)
    return exitCodes.failed
  } finally {
    for (const signal of signals) process.off(signal, stop)
    await browser.close()
  }
  folder.finish(true)
  const open = report.findings.filter(isOpen)
  const accepted = report.findings.filter((finding) => finding.accepted !== undefined).length
  if (given.json) terminal.print(JSON.stringify(report, null, 2))
  else {
    const rest = accepted > 0 ? `, ${accepted} of them accepted` : ''
    terminal.print(`${plural(report.findings.length, 'sad path')}: ${countsOf(report.counts)}${rest}`)
    terminal.print(`The report: ${relative(terminal.cwd, join(folder.folder, 'report.html'))}`)
  }
  return open.length > 0 ? exitCodes.failed : exitCodes.fine
}

function addressOf(address: string): ReturnType<typeof splitLogin> {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url && /^https?:$/.test(url.protocol)) return splitLogin(url.href)
  throw new UsageError(
    `${address} is not an address. Write it in full, such as http://localhost:5173/orders.`,
  )
}

function openReport(root: string, given: ExploreCommandOptions, url: string, server?: string): ReportFolder {
  const place = placeToWrite(root, given.out, 'folder')
  const accepted = acceptedIn(root, given.accepted).findings
  try {
    return new ReportFolder(place, url, accepted, given.fresh, server)
  } catch (error) {
    throw new UsageError(
      `${place} can't take the report: ${ended(reasonOf(error))} Name another folder, such as --out ${freeFolder(root)}`,
    )
  }
}

function freeFolder(root: string): string {
  const parent = mayWrite(root) ? '' : tmpdir()
  for (let number = 1; ; number++) {
    const path = join(parent, `mock-api-report${number === 1 ? '' : `-${number}`}`)
    if (!existsSync(resolve(root, path))) return path
  }
}

/** The default export runs before the page is opened, `after` when it is quiet. */
async function loadScript(path: string, shown: string): Promise<Script> {
  const jiti = createJiti(import.meta.url, { fsCache: false })
  const module = await jiti.import<{ default?: unknown; after?: unknown }>(pathToFileURL(path).href)
  const { default: before, after } = module
  if (typeof before !== 'function' && typeof after !== 'function')
    throw new UsageError(
      `${path} has no steps. Export a function of Playwright: export default async (page) => { … }, or one that runs on the page: export async function after(page) { … }.`,
    )
  const placed = (step: unknown, name: string) => {
    if (typeof step !== 'function') return undefined
    return async (...given: unknown[]) => {
      try {
        await (step as (...given: unknown[]) => unknown)(...given)
      } catch (error) {
        const place = formatPlace({ file: shown, ...placeInStack(error, path) })
        throw new Error(`${place}: ${name} failed: ${reasonOf(error)}`, { cause: error })
      }
    }
  }
  return { before: placed(before, 'The default export'), after: placed(after, '"after"') }
}

function introduce({ sadPaths, more, redirectedTo }: Plan, url: string): string[] {
  const requests = new Set(sadPaths.map(({ request }) => request)).size
  return [
    ...(redirectedTo === undefined
      ? []
      : [
          `${redactUrl(url)} leads to ${redactUrl(redirectedTo)}, and that is explored. If it needs a login, write it into a --script.`,
        ]),
    `${plural(sadPaths.length, 'sad path')} of ${plural(requests, 'request')}${more > 0 ? `; ${more} more with --max ${sadPaths.length + more}` : ''}`,
  ]
}

function countsOf(counts: Record<Verdict, number>): string {
  return verdicts.map((verdict) => `${counts[verdict]} ${verdict}`).join(', ')
}
