import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers' // a test may have replaced the global one
import { cachedDataVersionTag } from 'node:v8'
import { runInThisContext, Script } from 'node:vm'
import { crc32 } from 'node:zlib'
import { cacheFolder } from '../loader/cache/cache-folder.ts'

type Run = (...parameters: unknown[]) => Record<string, unknown>

export interface ScriptSettings {
  /** For stack traces. */
  name: string
  /** A hash of the script. V8 would run the code of any script of the same length. */
  hash: string
  /**
   * When the code is saved, in milliseconds. By default a page has been loaded by then, so that most functions that a start needs
   * have run: V8 compiles a function when it is called first.
   */
  saveAfter?: number
}

/** Bytes at the start of the file: V8 runs code that is damaged. */
const checksumLength = 4

/**
 * Runs a script with the code that V8 made of it at an earlier start. Compiling takes longer than all else that a server does
 * when it starts. The code is kept in the folder of the fixture cache. V8 compiles the script as usual if there is none yet, or
 * with `NODE_DISABLE_COMPILE_CACHE=1`, which is Node's own switch.
 *
 * @param script a function expression
 * @returns the function
 * @see https://nodejs.org/api/vm.html#scriptcreatecacheddata
 */
export function runScript(script: string, { name, hash, saveAfter = 10_000 }: ScriptSettings): Run {
  // Jest runs each test file with global objects of its own. A script has those of Node.
  if (runInThisContext('Function') !== Function)
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- it is our own text
    return (new Function(`return ${script}`) as () => Run)()
  const path = codePath(hash)
  const cachedData = path === undefined ? undefined : readCode(path)
  const compiled = new Script(script, { filename: name, cachedData })
  if (path !== undefined && (!cachedData || compiled.cachedDataRejected))
    setTimeout(() => void saveCode(compiled, path), saveAfter).unref()
  return compiled.runInThisContext() as Run
}

/** The tag tells versions of V8 apart, and the options of Node that change the code. */
function codePath(hash: string): string | undefined {
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return undefined
  try {
    const folder = cacheFolder(process.cwd())
    const { version, platform, arch } = process
    return folder && `${folder}/code-${hash}-${version}-${platform}-${arch}-${cachedDataVersionTag()}`
  } catch {
    return undefined // The working directory was deleted.
  }
}

function readCode(path: string): Buffer | undefined {
  try {
    const content = readFileSync(path)
    const code = content.subarray(checksumLength)
    return crc32(code) === content.readUInt32LE() ? code : undefined
  } catch {
    return undefined // There is none yet.
  }
}

/** Never rejects. */
async function saveCode(compiled: Script, path: string): Promise<void> {
  try {
    const code = compiled.createCachedData()
    const checksum = Buffer.alloc(checksumLength)
    checksum.writeUInt32LE(crc32(code))
    const { writeCache } = await import('../loader/cache/write-cache.ts')
    await writeCache(path, [checksum, code])
  } catch {
    // Another runtime than Node may not make any.
  }
}
