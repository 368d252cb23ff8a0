import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createJiti } from 'jiti'
import { formatPlace, visible } from '../../core/diagnostics/format.ts'
import { ended } from '../../core/diagnostics/text.ts'
import { splitLogin, type Login } from '../../core/values/url-user.ts'
import { redactText, redactUrl } from '../../core/redact/redact.ts'
import { plural } from '../../core/values/describe-value.ts'
import { placeInStack, reasonOf } from '../../core/values/thrown.ts'
import { mayWrite } from '../../files/write-files.ts'
import { acceptedIn } from '../accepted.ts'
import { explore as explorePage, type ExplorePlan } from '../../explore/explore.ts'
import { isOfCause, type Cause } from '../../explore/judge/causes.ts'
import { verdicts, type Verdict } from '../../explore/judge/judge.ts'
import { launchBrowser } from '../../explore/launch-browser.ts'
import { isOpen, readReport, type ExploreReport } from '../../explore/report/former-report.ts'
import { describeCauses } from '../../explore/report/page.ts'
import { projectTitle } from '../../inspector/server/agents/agent-server.ts'
import { findServers, ownServers } from '../mcp/find-servers.ts'
import { ReportFolder } from '../../explore/report/report.ts'
import type { Script } from '../../explore/visit.ts'
import { showProgress } from '../explore-progress.ts'
import { fileToRead, placeToWrite, projectFolder } from '../places.ts'
import { UsageError, exitCodes, type ExitCode, type Terminal } from '../terminal.ts'

export interface ExploreCommandOptions {
  root?: string
  out: string
  json?: true
  max: number
  all?: true
  again?: string
  changed?: true
  pictures?: 'all' | 'few'
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

/** @param places addresses, or paths on the running dev server of the project */
export async function explore(
  terminal: Terminal,
  places: readonly string[],
  given: ExploreCommandOptions,
): Promise<ExitCode> {
  const root = projectFolder(terminal, given.root)
  const again = given.again === undefined ? undefined : causeOf(root, given)
  const pages = again?.pages ?? (await pagesOf(root, places))
  const server = given.server === undefined ? undefined : addressOf(given.server)
  const folder = openReport(root, given, pages, server?.url)
  const { report } = folder
  const script =
    given.script === undefined ? {} : await loadScript(fileToRead(root, given.script), given.script)
  const { browser, name } = await launchBrowser(root, given.browser)
  report.browser = name
  const counts = { found: 0, tried: 0, kept: 0, planned: 0 }
  let shown: ReturnType<typeof showProgress> | undefined
  let isStopped = false
  const stop = () => {
    isStopped = true
    void browser.close()
  }
  for (const signal of signals) process.once(signal, stop)
  const progress = () => {
    const { tried, planned } = counts
    return `${tried} of ${planned} done, ${planned - tried} left: ${countsOf(report.counts)}`
  }
  const goesOn = !given.changed && !again
  const keep = (count: number) => {
    counts.tried += count
    counts.kept += count
  }
  try {
    for (const { url, login, headers } of pages) {
      const page = pages.length > 1 ? redactUrl(url) : undefined
      const before = new Map(
        report.findings.filter((one) => one.page === page).map(({ id, basis }) => [id, basis]),
      )
      const ofCause = again?.cause.findings.filter((one) => one.page === page).map(({ id }) => id)
      if (ofCause?.length === 0) {
        folder.plan([...before.keys()], page)
        continue
      }
      await explorePage(browser, url, {
        root,
        thresholds: { blank: given.blank, loop: given.loop },
        patience: { quiet: given.quiet, limit: given.limit },
        max: given.all || again ? Infinity : given.max,
        ...(given.only && { only: given.only }),
        ...(ofCause && { ids: new Set(ofCause) }),
        ...(given.pages !== undefined && { pages: given.pages }),
        ...(given.pictures && { pictures: given.pictures }),
        script,
        ...(server && { server: server.url }),
        login: login ?? server?.login,
        headers: (server ?? { headers }).headers,
        isKnown(id, basis) {
          if (goesOn) return before.has(id)
          const isKept = !again && before.get(id) === basis
          if (isKept) keep(1)
          return isKept
        },
        onPlan(found) {
          const ids = found.sadPaths.map(({ id }) => id)
          folder.plan(again ? [...before.keys()] : ids, page)
          counts.planned += ids.length
          const known = goesOn ? ids.filter((id) => before.has(id)).length : 0
          keep(known)
          folder.addUsual(found.picture, page)
          for (const line of introduce(found, url)) terminal.note(line)
          if (known > 0)
            terminal.note(`It continues the run that was stopped: ${progress()}. --fresh starts over.`)
          shown ??= showProgress(terminal, counts)
        },
        onFinding(finding, picture) {
          const added = folder.add(finding, picture, page)
          const { verdict, request, title, reason, place } = added
          counts.tried++
          if (isOpen(added)) {
            counts.found++
            const where = place === undefined ? '' : `${place} `
            terminal.note(visible(`${verdict}: ${request}: ${title}. ${where}${reason}`))
          }
          shown?.tick()
        },
      })
    }
  } catch (error) {
    const reason = redactText(reasonOf(error).split('\n', 1)[0]!) // Playwright adds its log
    if (counts.planned === 0) {
      if (!isStopped) throw new Error(reason, { cause: error })
      terminal.note('Stopped, before any sad path was tried.')
      return exitCodes.failed
    }
    folder.finish(false)
    const why = isStopped ? 'Stopped' : `It ended early: ${reason}`
    terminal.note(`${ended(why)} ${progress()}. Run the same command to continue.`)
    return exitCodes.failed
  } finally {
    shown?.end()
    for (const signal of signals) process.off(signal, stop)
    await browser.close()
  }
  folder.finish(true)
  if (given.json) terminal.print(JSON.stringify(report, null, 2))
  else summarize(terminal, report, again?.cause)
  if (!given.json) terminal.print(`The report: ${relative(terminal.cwd, join(folder.folder, 'report.html'))}`)
  return report.findings.some(isOpen) ? exitCodes.failed : exitCodes.fine
}

function summarize(
  { print }: Terminal,
  { findings, counts, causes }: ExploreReport,
  again: Cause | undefined,
): void {
  if (again) {
    const left = findings.filter((one) => isOfCause(again, one) && isOpen(one)).length
    const all = again.findings.length
    print(`Now passing: ${all - left} of ${all} sad paths with this cause`)
  }
  const accepted = findings.filter((finding) => finding.accepted !== undefined).length
  const rest = accepted > 0 ? `, ${accepted} of them accepted` : ''
  print(`${plural(findings.length, 'sad path')}: ${countsOf(counts)}${rest}`)
  if (causes.length === 0) return
  print(`${describeCauses(causes)}:`)
  for (const { number, title } of causes) print(visible(`  ${number}. ${title}`))
}

interface PageAddress {
  url: string
  login?: Login | undefined
  headers: Record<string, string>
}

async function pagesOf(root: string, places: readonly string[]): Promise<PageAddress[]> {
  const all = places.length > 0 ? places : ['/']
  const first = all.find((place) => !place.startsWith('/'))
  const base = all.some((place) => place.startsWith('/')) ? (first ?? (await ownOrigin(root))) : undefined
  return all.map((place) => addressOf(place.startsWith('/') ? withPath(base!, place) : place))
}

/** The address of another page on the same server, with the same password. */
function withPath(address: string, path: string): string {
  addressOf(address)
  const { pathname, search, hash } = new URL(path, 'http://localhost')
  return Object.assign(new URL(address), { pathname, search, hash }).href
}

async function ownOrigin(root: string): Promise<string> {
  const own = ownServers(await findServers(root), projectTitle(root))
  const [one] = own
  if (one && own.length === 1) return one.origin
  throw new UsageError(
    one
      ? `Several dev servers of this project are running: ${own.map(({ origin }) => origin).join(', ')}. Write the address of the page in full.`
      : `No dev server with the mock API is running for ${root}. Start it (npm run dev), or write the address of the page in full, such as http://localhost:5173/orders.`,
  )
}

/** The cause of a report, by its number or a part of its title. */
function causeOf(root: string, { again = '', out }: ExploreCommandOptions) {
  const file = resolve(root, out, 'report.json')
  const report = existsSync(file) ? readReport(readFileSync(file, 'utf8')) : undefined
  const { causes = [] } = report ?? {}
  const cause = causes.find(
    ({ number, title }) => String(number) === again || (again.length > 3 && title.includes(again)),
  )
  if (report && cause) return { cause, pages: (report.pages ?? [report.url]).map(addressOf) }
  const list = causes.map(({ number, title }) => `\n  ${number}. ${title}`).join('')
  throw new UsageError(
    report
      ? `The report has no cause ${again}. It has:${list || ' none'}`
      : `There is no report ${file}. Run explore first.`,
  )
}

function addressOf(address: string): PageAddress {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url && /^https?:$/.test(url.protocol)) return splitLogin(url.href)
  throw new UsageError(
    `${address} is not an address. Write it in full, such as http://localhost:5173/orders, or a path, such as /orders.`,
  )
}

function openReport(
  root: string,
  given: ExploreCommandOptions,
  pages: readonly PageAddress[],
  server?: string,
): ReportFolder {
  const place = placeToWrite(root, given.out, 'folder')
  const accepted = acceptedIn(root, given.accepted).findings
  try {
    const keepsAll = given.again !== undefined || given.changed === true
    const urls = pages.map(({ url }) => url)
    return new ReportFolder(place, urls, accepted, given.fresh, server, keepsAll)
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

function introduce({ sadPaths, more, redirectedTo }: ExplorePlan, url: string): string[] {
  const requests = new Set(sadPaths.map(({ request }) => request)).size
  return [
    ...(redirectedTo === undefined
      ? []
      : [
          `${redactUrl(url)} leads to ${redactUrl(redirectedTo)}, and that is explored. If it needs a login, write it into a --script.`,
        ]),
    `${plural(sadPaths.length, 'sad path')} of ${plural(requests, 'request')}${more > 0 ? `; ${more} more with --all` : ''}`,
  ]
}

function countsOf(counts: Record<Verdict, number>): string {
  return verdicts.map((verdict) => `${counts[verdict]} ${verdict}`).join(', ')
}
