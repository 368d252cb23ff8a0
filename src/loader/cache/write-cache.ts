import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Maximum files of each kind in the folder. Each project folder has its own, and tests may make any number of these. */
const maxFiles = 20

/**
 * Writes a file of a cache, and deletes the oldest ones of its kind if there are too many. Never rejects: a file that can't be
 * written is left out.
 *
 * @param path of a file whose name begins with its kind and a hyphen
 */
export async function writeCache(path: string, content: readonly Uint8Array[]): Promise<void> {
  // Several processes may start at the same time, and a process may be ended while it writes.
  const unfinished = `${path}.${randomUUID()}`
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(unfinished, content)
    await rename(unfinished, path)
    await removeOldest(dirname(path), basename(path).replace(/-.*/, '-'))
  } catch {
    await rm(unfinished, { force: true }).catch(() => {})
  }
}

/** Leaves the newest files of a folder whose names begin with a text. */
async function removeOldest(folder: string, kind: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(kind))
  if (names.length <= maxFiles) return
  const files = await Promise.all(
    names.map(async (name) => ({ path: join(folder, name), time: (await stat(join(folder, name))).mtimeMs })),
  )
  const oldest = files.sort((a, b) => b.time - a.time).slice(maxFiles)
  await Promise.all(oldest.map(({ path }) => rm(path, { force: true })))
}
