import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ExploreReport } from '../../src/explore/report/former-report.ts'
import { ReportFolder } from '../../src/explore/report/report.ts'
import { folderWith, runIn } from '../cli/test-terminal.ts'
import { isThorough, sampling } from '../sampling.ts'

/* A report takes a folder of its own: what a former report lists goes, and nothing else is touched. */

const url = 'http://localhost:5173/orders'
const picture = Buffer.from('a picture')
const ids = ['GET /a #status 500', 'GET /a #null b', 'GET /b #list empty']

/** A run; without `isComplete`, it is killed after so many findings. */
function run(folder: string, { count = ids.length, isComplete = true, isFresh = false, page = url } = {}) {
  const report = new ReportFolder(folder, page, [], isFresh)
  report.plan(ids)
  report.addUsual(picture)
  for (const id of ids.slice(0, count))
    if (!report.report.findings.some((one) => one.id === id))
      report.add({ id, request: 'GET /a', title: id, kind: 'null', verdict: 'silent', reason: 'It says no.' }, picture) // prettier-ignore
  if (isComplete) report.finish(true)
  return report
}

type Content = string | { link: string } | null
const made = folderWith
function put(root: string, files: Record<string, Content>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name)
    mkdirSync(content === null ? path : dirname(path), { recursive: true })
    if (content !== null && typeof content === 'object') symlinkSync(content.link, path)
    else if (content !== null) writeFileSync(path, content)
  }
}

/** All that is in a folder, with the ends of links. */
function contentOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    entries.map((one) => {
      const path = join(one.parentPath, one.name)
      const text = one.isSymbolicLink() ? `-> ${readlinkSync(path)}` : one.isFile() ? readFileSync(path, 'latin1') : '' // prettier-ignore
      return [path.slice(folder.length + 1), text]
    }),
  )
}

/** The files of a complete report, and its text. */
function former(isComplete = true): { files: Record<string, string>; json: string; report: ExploreReport } {
  const folder = made()
  run(folder, { isComplete })
  const files = Object.fromEntries(Object.entries(contentOf(folder)).filter(([, text]) => text !== ''))
  return { files, json: files['report.json']!, report: JSON.parse(files['report.json']!) as ExploreReport }
}
const changed = (change: (report: ExploreReport) => unknown) => {
  const { report } = former()
  change(report)
  return JSON.stringify(report, null, 2)
}

const explore = (root: string, ...args: string[]) =>
  runIn(root, ['explore', url, '--browser', '/nowhere', ...args])

const outside = '../outside'
const refused: Record<string, [files: () => Record<string, Content>, named: string]> = {
  'a folder of documents': [() => ({ 'index.md': 'a', 'report.html': 'mine', 'screenshots/login.png': 'mine' }), 'index.md'],
  'a folder of pictures': [() => ({ 'screenshots/login.webp': 'mine' }), 'screenshots'],
  'a page': [() => ({ 'report.html': 'mine' }), 'report.html'],
  'a report of tests': [() => ({ 'junit.xml': '<testsuites/>' }), 'junit.xml'],
  'report.json of a linter': [() => ({ 'report.json': '[{"filePath":"/a.js","messages":[]}]' }), 'report.json'],
  'report.json, empty object': [() => ({ 'report.json': '{}' }), 'report.json'],
  'report.json, null': [() => ({ 'report.json': 'null' }), 'report.json'],
  'report.json with some of the keys': [() => ({ 'report.json': '{ "url": "http://a", "findings": [], "isComplete": true }' }), 'report.json'],
  'report.json with a finding of another kind': [() => ({ 'report.json': changed(({ findings }) => Object.assign(findings[0]!, { verdict: 'bad' })) }), 'report.json'],
  'report.json that is not JSON': [() => ({ 'report.json': '// mine\n{ "url": "a" }' }), 'report.json'],
  'report.json, empty': [() => ({ ...former().files, 'report.json': '' }), 'report.json'],
  'report.json that lists a file outside': [() => ({ 'report.json': changed(({ findings }) => (findings[0]!.screenshot = '../outside/a.webp')) }), 'report.json'],
  'report.json that lists a file outside, by its folder': [() => ({ 'report.json': changed(({ findings }) => (findings[1]!.screenshot = 'screenshots/../../outside/a.webp')) }), 'report.json'],
  'report.json that lists a file outside as the picture of a page': [() => ({ 'report.json': changed((report) => (report.usual = [{ page: url, screenshot: '../outside/a.webp' }])) }), 'report.json'],
  'report.json that lists an absolute path': [() => ({ 'report.json': changed((report) => (report.screenshot = '/etc/passwd')) }), 'report.json'],
  'report.json that lists another file of the folder': [() => ({ 'report.json': changed((report) => (report.screenshot = 'notes.md')), 'notes.md': 'mine' }), 'report.json'],
  'a link to a report': [() => ({ 'report.json': { link: `${outside}/report.json` } }), 'report.json'],
  'a link to nothing': [() => ({ 'report.json': { link: 'nothing' } }), 'report.json'],
  'a report whose page is a link': [() => ({ ...former().files, 'report.html': { link: `${outside}/a.webp` } }), 'report.html'],
  'a report whose pictures are a link': [() => ({ 'report.json': former().json, screenshots: { link: outside } }), 'screenshots'],
  'a report of which a picture is a link': [() => ({ 'report.json': former().json, [former().report.screenshot]: { link: '../../outside/a.webp' } }), 'screenshots/good-'],
  'a report of which a picture is a folder': [() => ({ 'report.json': former().json, 'screenshots/a.webp/b': 'mine' }), 'screenshots/a.webp'],
  'pictures that are a link': [() => ({ screenshots: { link: outside } }), 'screenshots'],
  'a folder with the name of the page': [() => ({ 'report.json': former().json, 'report.html': null }), 'report.html'],
  'a folder with the name of the report': [() => ({ 'report.json/a': 'mine' }), 'report.json'],
  'a file with the name of the pictures': [() => ({ screenshots: 'mine' }), 'screenshots'],
} // prettier-ignore

describe('is refused, and stays as it is', () => {
  // In npm test each third with --fresh, which takes what a former run has found out of the report, and nothing else.
  const bothWays = isThorough ? [[], ['--fresh']] : undefined
  it.each(Object.entries(refused).flatMap(([name, row], at) => (bothWays ?? [at % 3 === 0 ? ['--fresh'] : []]).map((args) => [`${name} ${args.join('')}`, ...row, args] as const)))('%s', async (_, files, named, args) => {
    const root = made({ 'outside/a.webp': 'theirs', 'outside/report.json': former().json })
    mkdirSync(join(root, 'docs'))
    put(join(root, 'docs'), files())
    const before = contentOf(root)
    const { exitCode, stderr } = await explore(root, '--out', 'docs', ...args)
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`error: ${join(root, 'docs')} can't take the report: it has something else, ${named}`)
    expect(stderr).toMatch(/\. Name another folder, such as --out mock-api-report\n$/) // prettier-ignore
    expect(contentOf(root)).toEqual(before)
    // The folder that it names is taken.
    const again = await explore(root, '--out', 'mock-api-report', ...args)
    expect(again.stderr).toContain('No Chromium starts')
  }) // prettier-ignore

  it('a file, a path below a file, and a folder that nobody can make', async () => {
    const root = made({ 'a.txt': 'mine', 'mock-api-report': 'mine', 'mock-api-report-2/a': 'mine' })
    const before = contentOf(root)
    const outs = ['a.txt', 'a.txt/b', '/dev/null/here', 'mock-api-report-2', '.']
    for (const out of outs) {
      const { exitCode, stderr } = await explore(root, '--out', out)
      expect([out, exitCode]).toEqual([out, 2])
      expect(stderr).toMatch(out === 'a.txt' ? /is a file\. Name a folder with --out/ : /such as --out mock-api-report-3\n$/) // prettier-ignore
    }
    expect(contentOf(root)).toEqual(before)
  })
})

const taken: Record<string, () => Record<string, Content>> = {
  'a new folder': () => ({}),
  'an empty folder': () => ({ '.': null }),
  'an empty folder, for git': () => ({ '.gitkeep': '', '.gitignore': '*' }),
  'a complete report': () => former().files,
  'a complete report without its page': () => ({ ...former().files, 'report.html': 'changed' }),
  'a complete report without its pictures': () => ({ 'report.json': former().json }),
  'a complete report with files of somebody else': () => ({ ...former().files, 'notes.md': 'mine', 'screenshots/mine.webp': 'mine', 'screenshots/mine/a.png': 'mine' }),
  'a stopped run': () => former(false).files,
  'a report of another page': () => ({ ...former().files, 'report.json': changed((report) => (report.url = 'http://localhost:1/')) }),
  'an empty folder of pictures': () => ({ screenshots: null }),
} // prettier-ignore
const ours = /^(?:report\.(?:json|html)|junit\.xml|screenshots(?:\/(?:good|GET)-[\w-]+\.webp)?)$/

it.each(Object.entries(taken))('%s is taken, and only what is of a report changes', (_, files) => {
  const folder = join(made(), 'out')
  put(folder, files())
  const theirs = () => Object.fromEntries(Object.entries(existsSync(folder) ? contentOf(folder) : {}).filter(([name]) => !ours.test(name))) // prettier-ignore
  const before = theirs()
  const { report } = run(folder)
  expect(theirs()).toEqual(before)
  const pictures = [report.screenshot, ...report.findings.map(({ screenshot }) => screenshot!)]
  for (const name of ['report.json', 'report.html', 'junit.xml', ...pictures])
    expect(lstatSync(join(folder, name)).isFile()).toBe(true)
  expect(report.findings.map(({ id }) => id)).toEqual(ids)
  expect(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))).toMatchObject({ isComplete: true })
})

it('a run that was killed at any time goes on, and a picture that is gone is made again', () => {
  for (let count = 0; count <= ids.length; count++) {
    const folder = made()
    run(folder, { count, isComplete: false })
    const { report } = new ReportFolder(folder, url, [])
    expect(report.findings.map(({ id }) => id)).toEqual(ids.slice(0, count))
  }
  const folder = made()
  const { report } = run(folder, { isComplete: false })
  put(folder, { 'notes.md': 'mine' })
  rmSync(join(folder, report.findings[1]!.screenshot!))
  const all = contentOf(folder)
  expect(Object.keys(all)).not.toContainEqual(expect.stringContaining('.tmp'))
  const next = run(folder)
  expect(next.report.findings.map(({ id }) => id)).toEqual(ids)
  expect(readFileSync(join(folder, 'notes.md'), 'utf8')).toBe('mine')
})

it('each of several pages is beside its own picture, which goes with the report', () => {
  const folder = made()
  const pages = [url, 'http://localhost:5173/#/orders/7']
  const report = new ReportFolder(folder, pages, [])
  for (const page of pages) {
    report.plan(ids, page)
    report.addUsual(Buffer.from(`usual ${page}`), page)
    report.add({ id: ids[0]!, request: 'GET /a', title: page, kind: 'null', verdict: 'silent', reason: '' }, picture, page) // prettier-ignore
  }
  report.finish(true)
  const text = readFileSync(join(folder, 'report.html'), 'utf8')
  for (const page of pages) {
    const [, name] = new RegExp(`<div class="pair (page-\\d)">\n<figure><button type="button" aria-label="Larger: ${page}"`).exec(text)! // prettier-ignore
    expect(text).toContain(`.${name} { --good: url(data:image/webp;base64,${Buffer.from(`usual ${page}`).toString('base64')}) }`) // prettier-ignore
    expect(text).toContain(`<a href="${page}">`)
  }
  run(folder)
  expect(readdirSync(join(folder, 'screenshots')).filter((name) => name.startsWith('good-'))).toHaveLength(1)
})

it('a page that is not explored in the end leaves the report before as it was', () => {
  const folder = made()
  run(folder)
  const before = contentOf(folder)
  new ReportFolder(folder, 'http://localhost:1/', [], true) // it does not get as far as its plan
  expect(contentOf(folder)).toEqual(before)
})

/* Random runs over a random folder. */
it('no file of somebody else is changed, whatever runs come', () => {
  const name = fc.constantFrom('report.json', 'report.html', 'junit.xml', 'screenshots/a.webp', 'screenshots/good-1.webp', 'notes.md', 'docs/a.md', '.hidden') // prettier-ignore
  const text = fc.constantFrom('', '{}', '{\n  "url": "', 'mine', '<html>')
  const step = fc.record({ count: fc.nat(3), isComplete: fc.boolean(), isFresh: fc.boolean(), page: fc.constantFrom(url, 'http://localhost:1/') }) // prettier-ignore
  fc.assert(
    fc.property(
      fc.dictionary(name, text, { maxKeys: 3 }),
      fc.array(step, { maxLength: 3 }),
      (files, steps) => {
        const folder = made()
        put(folder, files)
        const before = contentOf(folder)
        const isTaken = steps.map((one) => {
          try {
            run(folder, one)
            return true
          } catch (error) {
            expect(String(error)).toContain('it has something else')
            return false
          }
        })
        const after = contentOf(folder)
        if (!isTaken.includes(true)) expect(after).toEqual(before)
        for (const [path, content] of Object.entries(before))
          if (!ours.test(path)) expect(after[path]).toBe(content)
      },
    ),
    sampling(20),
  )
})
