/*
 * Files that are edited while requests come in. Each says its version, and so do its answers: never an older one than
 * was confirmed before the request was sent, never one that was not written yet.
 */
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
import { setTimeout as after } from 'node:timers/promises'
import { broken, versions } from './project.mjs'
import { post, request } from './requests.mjs'

const patience = 15_000
const described = post('/graphql', { query: '{ __type(name: "Query") { description } }' })

/** Each with the version that is known to be loaded, and the one that was written last. */
export function editedFiles() {
  return [
    ['plain', 'yaml', 'fixtures/versioned.yaml', request('GET', '/version/yaml')],
    ['shape', 'yaml', 'fixtures/versioned.yaml', request('GET', '/version/yaml')],
    ['schema', 'yaml', 'fixtures/versioned.yaml', request('GET', '/version/yaml')],
    ['plain', 'helper', 'helpers/version.ts', request('GET', '/version/code')],
    ['plain', 'body', 'bodies/version.json', request('GET', '/version/body')],
    ['plain', 'extra', 'fixtures/extra.json5', request('GET', '/version/extra')],
    ['schema', 'schema', 'schema.graphql', described],
  ].map(([mode, content, path, ask]) => {
    const name = `${mode}/${path}`
    return { mode, content, path, ask, name, low: 1, high: 1, lacking: false, lacks: 0 }
  })
}

/** The version in an answer; `undefined` where the request was passed on, or its file is empty. */
function versionIn({ status, headers, text }) {
  const found = /version"?:? (\d+)|"version":(\d+)/.exec(text)
  return status === 200 && !headers['x-passed-on'] && found ? Number(found[1] ?? found[2]) : undefined
}

export function versionKinds(files) {
  return files.map((file) => ({
    name: `edited: ${file.name}`,
    weight: 3,
    mode: file.mode,
    make() {
      const { low, lacking, lacks } = file
      const check = (answer) => {
        const version = versionIn(answer)
        const mayLack = lacking || file.lacks !== lacks
        const isRight = version === undefined ? mayLack : version >= low && version <= file.high
        return isRight ? undefined : `a version from ${low} to ${file.high} expected`
      }
      return [file.ask, check]
    },
  }))
}

/**
 * @param codes of what was logged in each project
 * @param ask the answer to the request of a file
 */
export function createEditor(folder, files, codes, ask) {
  const counts = {}
  let turn = 0
  const place = ({ mode, path }) => join(folder, mode, path)

  async function until(what, holds) {
    for (const end = performance.now() + patience; !(await holds()); await after(20))
      if (performance.now() > end) throw new Error(`waited in vain for ${what}`)
  }

  async function confirm(file) {
    const isLoaded = async () => versionIn(await ask(file)) === file.high
    await until(`version ${file.high} of ${file.name}`, isLoaded)
    file.low = file.high
    file.lacking = false
  }

  /** From now on until it is confirmed, answers may have no version. */
  function lack(file) {
    file.lacking = true
    file.lacks++
  }

  /** In place: the file is never empty, and never ends with old text. */
  function overwrite(file, text) {
    const handle = openSync(place(file), 'r+')
    const length = Buffer.byteLength(text)
    if (length < fstatSync(handle).size) ftruncateSync(handle, length)
    writeSync(handle, text, 0)
    closeSync(handle)
  }

  const nextOf = (file) => versions[file.content](++file.high)
  const ways = {
    save: (file) => overwrite(file, nextOf(file)),
    'save by emptying'(file) {
      lack(file)
      writeFileSync(place(file), nextOf(file))
    },
    'save in two parts'(file) {
      overwrite(file, broken[file.content])
      ways.save(file)
    },
    'save by renaming'(file) {
      writeFileSync(`${place(file)}.tmp`, nextOf(file))
      renameSync(`${place(file)}.tmp`, place(file))
    },
    'save twice'(file) {
      ways.save(file)
      ways.save(file)
    },
    async 'break and mend'(file) {
      codes[file.mode] = []
      overwrite(file, broken[file.content])
      const isTold = () => codes[file.mode].some((code) => /syntax|invalid|import/.test(code))
      await until(`an error of ${file.name}`, isTold)
      const version = versionIn(await ask(file))
      if (version !== file.low) throw new Error(`${file.name}: version ${version}, not ${file.low}`)
      ways.save(file)
    },
    async 'delete and put back'(file) {
      lack(file)
      rmSync(place(file))
      await until(`${file.name} to be gone`, async () => versionIn(await ask(file)) === undefined)
      ways['save by renaming'](file)
    },
  }

  const steps = files.flatMap((file) =>
    Object.keys(ways)
      .filter((way) => file.content === 'extra' || way !== 'delete and put back')
      .filter((way) => file.content in broken || /save(?! in two)/.test(way))
      .map((way) => ({ file, way })),
  )
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
