import { createHash } from 'node:crypto'
import { groupBy } from '../../core/values/collections.ts'
import { escapeHtml as html } from '../../wire/escape-html.ts'
import { plural } from '../../core/values/describe-value.ts'
import { isOfCause, type Cause } from '../judge/causes.ts'
import { isProblem, verdicts, type Verdict } from '../judge/judge.ts'
import type { ExploreReport, ReportedFinding } from './former-report.ts'
import { style } from './style.ts'

const script = `
const dialog = document.querySelector('dialog')
addEventListener('click', ({ target }) => {
  const pair = target.closest('.pair')
  if (!pair) return
  if (dialog.open) return dialog.close()
  const image = pair.querySelector('img')
  dialog.style.setProperty('--ratio', image.naturalWidth + '/' + image.naturalHeight)
  dialog.replaceChildren(pair.cloneNode(true))
  dialog.showModal()
})
`
const scriptHash = createHash('sha256').update(script).digest('base64')
// Names, answers and errors of the page that was explored are foreign texts.
const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-${scriptHash}'; base-uri 'none'; form-action 'none'`

/**
 * The report as one page that needs no other file.
 *
 * @param picture the base64 of a picture in the folder of the report
 */
export function reportPage(report: ExploreReport, picture: (path: string) => string): string {
  const { url, pages = [url], findings, counts, causes, screenshot, isComplete } = report
  const { usual = [{ page: undefined, screenshot }] } = report
  // What is accepted comes after what is not, and before what is handled.
  const rank = ({ verdict, accepted }: ReportedFinding) =>
    verdicts.indexOf(verdict) + (accepted === undefined && isProblem(verdict) ? 0 : verdicts.length)
  const groups = [...groupBy(findings, ({ page = '', request }) => `${page} ${request}`.trim())]
    .map(([request, list]) => ({ request, list: list.toSorted((a, b) => rank(a) - rank(b)) }))
    .toSorted((a, b) => rank(a.list[0]!) - rank(b.list[0]!))
  const source = (path: string) => `data:image/webp;base64,${picture(path)}`
  const pictures = ({ title, screenshot: path, page }: ReportedFinding) =>
    path === undefined ? '' : pair(title, source(path), indexOfPage(page))
  const indexOfPage = (page?: string) => usual.findIndex((one) => one.page === page)
  const good = usual.map((one, index) => `.page-${index} { --good: url(${source(one.screenshot)}) }`)
  const hide = verdicts.map(
    (verdict) =>
      `body:has(#show-${verdict}:not(:checked)) .${verdict} { display: none } .${verdict} { --verdict: var(--${verdict}) }`,
  )
  const shown = verdicts.filter((verdict) => counts[verdict] > 0)
  const filter = (verdict: Verdict) =>
    `<label><input type="checkbox" id="show-${verdict}" checked> ${counts[verdict]} ${verdict}</label>`
  const section = ({ request, list }: (typeof groups)[number]) => `<section>
<h2>${html(request)}</h2>
<ul class="sheet">
${list.map((finding) => card(report, finding, pictures(finding))).join('\n')}
</ul>
</section>`
  const causeCard = (cause: Cause) => {
    const first = findings.find((one) => isOfCause(cause, one))!
    const { verdict, number } = cause
    return `<article class="card ${verdict}">
<h3><span class="verdict">${verdict}</span> ${html(cause.title.replace(`${verdict}: `, ''))}</h3>
${pictures(first)}
<p>${tryLink(report, first, cause.place)}</p>
<p class="kind">After the change: <code>explore --again ${number}</code></p>
</article>`
  }
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sad paths of ${html(pages.join(', '))}</title>
<link rel="icon" href="data:,">
<style>${style}${[...hide, ...good].join('\n')}</style>
</head>
<body>
<header>
<h1>${findings.length} sad paths of ${pages.map((page) => `<a href="${html(page)}">${html(page)}</a>`).join(', ')}</h1>
<p>Each picture shows the page when one answer has gone wrong, beside the page as it should be.${report.browser === undefined ? '' : ` It was opened in ${html(report.browser)}.`}${isComplete ? '' : ' The run was stopped: this is what was found until then.'}</p>
<fieldset><legend>Show</legend>${shown.map(filter).join('')}</fieldset>
</header>
<main>
${causes.length === 0 ? '' : `<section>\n<h2>${describeCauses(causes)}</h2>\n<div class="sheet">\n${causes.map(causeCard).join('\n')}\n</div>\n</section>`}
${groups.map(section).join('\n')}
</main>
<dialog aria-label="The pictures, larger"></dialog>
<script>${script}</script>
</body>
</html>
`
}

/** `3 causes, 22 sad paths` */
export function describeCauses(causes: readonly Cause[]): string {
  const count = causes.reduce((sum, { findings }) => sum + findings.length, 0)
  return `${plural(causes.length, 'cause')}, ${plural(count, 'sad path')}`
}

function tryLink(
  { url, server = url }: ExploreReport,
  { id, page = url }: ReportedFinding,
  place?: string,
): string {
  const query = new URLSearchParams({ 'sad-path': id, page, ...(place !== undefined && { place }) })
  const inspector = html(`${new URL(server).origin}/__mock-api/?${query.toString()}`)
  return `<a href="${inspector}">${place === undefined ? '' : 'Open in editor, or '}Try it on my page</a>`
}

function pair(title: string, source: string, page: number): string {
  return `<div class="pair page-${page}">
<figure><button type="button" aria-label="Larger: ${html(title)}"><img src="${source}" alt="" loading="lazy"></button><figcaption>With this sad path</figcaption></figure>
<figure><button type="button" aria-label="Larger: the page as it should be"><span class="good"></span></button><figcaption>As it should be</figcaption></figure>
</div>`
}

function card(report: ExploreReport, finding: ReportedFinding, pictures: string): string {
  const { id, title, kind, verdict, reason, error, asked, answer, accepted, place } = finding
  const details = [
    error !== undefined && block('Error', [place, error].filter(Boolean).join('\n\n')),
    asked && block('Request', [`${asked.method} ${asked.url}`, asked.body].filter(Boolean).join('\n\n')),
    answer && block('Answer', [answer.fault ?? answer.status, answer.text].filter(Boolean).join('\n\n')),
    isProblem(verdict) &&
      accepted === undefined &&
      block('To accept it', `- id: ${JSON.stringify(id)}\n  verdict: ${verdict}\n  reason: `),
  ]
  return `<li class="card ${verdict}">
<h3><span class="verdict">${verdict}</span> <span class="kind">${kind}</span> ${html(title)}</h3>
<p>${html(reason)}${accepted === undefined ? '' : ` <em>Accepted: ${html(accepted)}</em>`}</p>
${pictures}
<details><summary>Request and answer</summary>${details.filter(Boolean).join('')}</details>
<p>${tryLink(report, finding)}</p>
</li>`
}

function block(title: string, text: string): string {
  return `<h4>${title}</h4><pre tabindex="0">${html(text)}</pre>`
}
