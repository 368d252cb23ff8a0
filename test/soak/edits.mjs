/*
 * Files that are edited while requests come in. Each says its version, and so do its answers: never an older one than
 * was confirmed before the request was sent, never one that was not written yet.
 */
import { once } from 'node:events'
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { post, request } from './kinds/http.mjs'
import { broken, versions } from './project.mjs'

const patience = 15_000

/**
 * @typedef {object} Edited
 * @property {number} low the version that is known to be loaded
 * @property {number} high the version that was written last
 * @property {boolean | undefined} isThere `undefined` while it is being deleted, or put back
 * @property {number} changes how often it was deleted or put back
 * @property {boolean} emptied whether it is empty for a moment, as many editors leave it while they save. Where that moment
 * is long, on a busy machine, it counts: then an answer may lack a version
 * @returns {(Edited & { name: string, mode: string, content: keyof typeof versions, path: string, ask: Buffer })[]}
 */
export function editedFiles() {
  const page = (name) => request('GET', `/version/${name}`)
  const described = post('/graphql', { query: '{ __type(name: "Query") { description } }' })
  return [
    { mode: 'plain', content: 'yaml', path: 'fixtures/versioned.yaml', ask: page('yaml') },
    { mode: 'shape', content: 'yaml', path: 'fixtures/versioned.yaml', ask: page('yaml') },
    { mode: 'schema', content: 'yaml', path: 'fixtures/versioned.yaml', ask: page('yaml') },
    { mode: 'plain', content: 'helper', path: 'helpers/version.ts', ask: page('code') },
    { mode: 'plain', content: 'body', path: 'bodies/version.json', ask: page('body') },
    { mode: 'plain', content: 'extra', path: 'fixtures/extra.json5', ask: page('extra') },
    { mode: 'schema', content: 'schema', path: 'schema.graphql', ask: described },
  ].map((file) => ({
    ...file,
    name: `${file.mode}/${file.path}`,
    low: 1,
    high: 1,
    isThere: true,
    changes: 0,
    emptied: false,
  }))
}

/** The version in an answer; `undefined` where the request was passed on. */
export function versionIn({ status, headers, text }) {
  if (status !== 200 || headers['x-passed-on']) return undefined
  return Number(/version"?:? (\d+)|"version":(\d+)/.exec(text)?.slice(1).find(Boolean))
}

/**
 * @param {string} folder of the projects
 * @param {import('node:events').EventEmitter} log reloads and fixture errors, by mode
 * @param {(file: ReturnType<typeof editedFiles>[number]) => Promise<import('./connection.mjs').Answer>} ask
 */
export function createEditor(folder, files, log, ask) {
  const counts = {}
  let turn = 0

  const place = (file) => join(folder, file.mode, file.path)
  const textOf = (file) => versions[file.content](file.high)

  /** Waits for log lines of the server until the condition holds. */
  async function until(what, mode, holds) {
    const stop = new AbortController()
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(patience)])
    try {
      for (;;) {
        const told = once(log, mode, { signal })
        told.catch(() => {})
        if (await holds()) return
        await told
      }
    } catch (error) {
      throw signal.aborted ? new Error(`waited in vain for ${what}`, { cause: error }) : error
    } finally {
      stop.abort()
    }
  }

  async function confirm(file) {
    await until(`version ${file.high} of ${file.name}`, file.mode, async () => {
      return versionIn(await ask(file)) === file.high
    })
    file.low = file.high
    file.isThere = true
    file.emptied = false
  }

  /** Overwrites in place: the file is never empty, and never ends with old text. */
  function overwrite(file, text) {
    const handle = openSync(place(file), 'r+')
    const length = Buffer.byteLength(text)
    if (length < fstatSync(handle).size) ftruncateSync(handle, length)
    writeSync(handle, text, 0)
    closeSync(handle)
  }

  function saveNext(file, write) {
    file.high++
    write(textOf(file))
  }

  const ways = {
    save: (file) => saveNext(file, (text) => overwrite(file, text)),
    'save by emptying'(file) {
      file.emptied = true
      saveNext(file, (text) => writeFileSync(place(file), text))
    },
    'save in two parts'(file) {
      overwrite(file, broken[file.content])
      ways.save(file)
    },
    'save by renaming': (file) =>
      saveNext(file, (text) => {
        writeFileSync(`${place(file)}.tmp`, text)
        renameSync(`${place(file)}.tmp`, place(file))
      }),
    'save twice'(file) {
      ways.save(file)
      ways.save(file)
    },
    async 'break and mend'(file) {
      let isTold = false
      const listen = ({ code }) => (isTold ||= /syntax|invalid|import/.test(code))
      log.on(file.mode, listen)
      overwrite(file, broken[file.content])
      await until(`an error of ${file.name}`, file.mode, () => isTold)
      log.off(file.mode, listen)
      const version = versionIn(await ask(file))
      if (version !== file.low)
        throw new Error(`${file.name}: version ${version} while broken, not ${file.low}`)
      ways.save(file)
    },
    async 'delete and put back'(file) {
      file.changes++
      file.isThere = undefined
      rmSync(place(file))
      await until(`${file.name} to be gone`, file.mode, async () => versionIn(await ask(file)) === undefined)
      file.isThere = false
      file.changes++
      file.isThere = undefined
      ways['save by renaming'](file)
    },
  }

  function waysOf({ content }) {
    const names = Object.keys(ways)
    if (content === 'extra') return names
    if (content === 'body') return ['save', 'save by emptying', 'save by renaming', 'save twice']
    return names.filter((name) => name !== 'delete and put back')
  }

  const steps = files.flatMap((file) => waysOf(file).map((way) => ({ file, way })))
  // Neighbours in the list are edits of one file; a step that shares no divisor with its length mixes them.
  const stride = [11, 13, 17].find((step) => steps.length % step !== 0)

  return {
    counts,
    /** Makes one edit, and waits until answers show it. */
    async edit() {
      const { file, way } = steps[(turn++ * stride) % steps.length]
      await ways[way](file)
      await confirm(file)
      counts[way] = (counts[way] ?? 0) + 1
    },
    /** Edits a file of each project, so that every route table is a new one. */
    async renew() {
      const some = files.filter(({ content }) => content === 'yaml')
      some.forEach(ways.save)
      await Promise.all(some.map(confirm))
    },
  }
}
